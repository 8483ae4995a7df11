import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { AgentReport, AgentReports } from "../schemas/agent-report.ts";

/** Agents buffer for a day; the rest is clock tolerance. */
const OLDEST_MS = 25 * 3_600_000;

/**
 * By the server's clock: the device's clock only counts for the time between measuring and sending.
 * Milliseconds.
 */
export function reportedAt(
  { at }: Pick<AgentReports["reports"][number], "at">,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number {
  return now - Math.min(OLDEST_MS, Math.max(0, sentAt - at));
}

/** By the server's clock, milliseconds; null where the device's clock was set to before the start since. */
export const bootedAt = (
  { bootedAt: at }: NonNullable<AgentReport["system"]>,
  { sentAt }: Pick<AgentReports, "sentAt">,
  now: number,
): number | null => (at > sentAt ? null : now - (sentAt - at));

/** Only the latest list of each is stored. */
const SNAPSHOT_KINDS = ["processes", "connections", "applications", "containers"] as const;
export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number];

export type DeviceSystem = NonNullable<AgentReport["system"]>;

type Items<Kind extends SnapshotKind> = NonNullable<AgentReport[Kind]>["items"];
export type SnapshotItem<Kind extends SnapshotKind = SnapshotKind> = Items<Kind>[number];

/** `at` in milliseconds. */
export interface StoredSnapshot {
  kind: SnapshotKind;
  at: number;
  /** Before the list was cut. */
  total: number;
  items: Uint8Array;
}

/** With the sequence of its report. */
export interface NewSnapshot extends StoredSnapshot {
  sequence: number;
}

/** Compressed; call it outside transactions. */
export async function newestSnapshots(body: AgentReports, now: number): Promise<NewSnapshot[]> {
  const found = SNAPSHOT_KINDS.flatMap((kind) => {
    const report = body.reports.findLast((one) => one[kind] !== undefined);
    const list = report?.[kind];
    return report && list ? [{ kind, list, report }] : [];
  });
  return Promise.all(
    found.map(async ({ kind, list, report }) => ({
      ...{ kind, sequence: report.sequence, total: list.total },
      at: reportedAt(report, body, now),
      items: await compress(list.items),
    })),
  );
}

const FAST = { level: constants.Z_BEST_SPEED };
const deflate = promisify(deflateRaw);

/** In zlib's thread pool. */
const compress = (value: unknown): Promise<Buffer> => deflate(JSON.stringify(value), FAST);

/** Synchronously, for small values. */
export const compressNow = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value), FAST);

/** Throws for other bytes. */
export const uncompress = <T>(bytes: Uint8Array): T => JSON.parse(inflateRawSync(bytes).toString()) as T;
