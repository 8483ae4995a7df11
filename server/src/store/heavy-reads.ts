import type { Db } from "./db.ts";
import { pageByUptime } from "./queries/monitor-by-uptime.ts";
import { readMonitorSummary } from "./queries/monitor-summary.ts";
import { readUptimes } from "./queries/uptimes.ts";

/**
 * Reads that are computed from every monitor of an organization and its history: with ten thousand of them SQLite
 * takes a tenth of a second, and nobody else may wait for that (reader.ts). Their arguments name `organizationId` and
 * `kind`; arguments and results must survive a structured clone.
 */
export const HEAVY_READS = { pageByUptime, readMonitorSummary, readUptimes } satisfies Record<
  string,
  (db: Db, input: never) => Promise<unknown>
>;

export type HeavyReads = typeof HEAVY_READS;

/** Runs one of them where it holds nobody up. Throws what it throws. */
export type ReadAside = <Name extends keyof HeavyReads>(
  name: Name,
  input: Parameters<HeavyReads[Name]>[1],
) => ReturnType<HeavyReads[Name]>;
