import type { Db } from "./db.ts";
import { pageByUptime } from "./queries/monitor-list.ts";
import { readMonitorSummary } from "./queries/monitor-names.ts";
import { readMonitorReport } from "./queries/monitor-report.ts";
import { readUptimes } from "./queries/transitions.ts";

/**
 * Reads that are computed from every monitor of an organization and its history: with ten thousand of them SQLite
 * takes a tenth of a second, and nobody else may wait for that (reader.ts). Their arguments name `organizationId` and
 * `kind`; arguments and results must survive a structured clone.
 */
export const HEAVY_READS = {
  pageByUptime,
  readMonitorSummary,
  readMonitorReport,
  readUptimes,
} satisfies Record<string, (db: Db, input: never) => Promise<unknown>>;

export type HeavyReads = typeof HEAVY_READS;

const DAY_MS = 86_400_000;
/** A row of the roll-ups is read in about a fifth of the time that a figure of a list takes. */
const DAYS_AS_ONE = 5;

/** How much work it is for each monitor, by what a list's figures are for one. */
export const weightOf = (name: keyof HeavyReads, { from, to }: { from: number; to: number }): number =>
  name === "readMonitorReport" ? 1 + (to - from) / DAY_MS / DAYS_AS_ONE : 1;

/** Runs one of them where it holds nobody up. Throws what it throws. */
export type ReadAside = <Name extends keyof HeavyReads>(
  name: Name,
  input: Parameters<HeavyReads[Name]>[1],
) => ReturnType<HeavyReads[Name]>;
