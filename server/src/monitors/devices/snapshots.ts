import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { AgentReport, AgentReports } from "../schemas/agent-report.ts";
import { reportedAt } from "./report-times.ts";

/** Of which the latest list is stored. */
const SNAPSHOT_KINDS = ["processes", "connections", "applications", "containers"] as const;
export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number];

/** The machine, as its agent describes it. */
export type DeviceSystem = NonNullable<AgentReport["system"]>;

type Items<Kind extends SnapshotKind> = NonNullable<AgentReport[Kind]>["items"];
export type SnapshotItem<Kind extends SnapshotKind = SnapshotKind> = Items<Kind>[number];

/** A list as it is stored; `at` in milliseconds. */
export interface StoredSnapshot {
  kind: SnapshotKind;
  at: number;
  /** How many there were; the list may be cut. */
  total: number;
  items: Uint8Array;
}

/** One that a request brings, with the sequence of its report. */
export interface NewSnapshot extends StoredSnapshot {
  sequence: number;
}

/** Of each list the newest that a request brings, ready to be stored; made outside of any transaction. */
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

/** JSON, compressed in a thread beside this one. */
const compress = (value: unknown): Promise<Buffer> => deflate(JSON.stringify(value), FAST);

/** The same at once, for what is small. */
export const compressNow = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value), FAST);

/** What was compressed. Throws for other bytes. */
export const uncompress = <T>(bytes: Uint8Array): T => JSON.parse(inflateRawSync(bytes).toString()) as T;
