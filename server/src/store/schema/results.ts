import type { Generated } from "kysely";
import type { HeartbeatSignal } from "../../check/told-types.ts";
import { OF_MONITOR, table } from "../table.ts";
import type { Flag } from "./values.ts";

/** `outcome`: check/outcome.ts. */
export interface ResultTable {
  monitor_id: number;
  location_id: number;
  scheduled_at: number;
  outcome: number;
  status_code: number | null;
  dns_us: number | null;
  connect_us: number | null;
  tls_us: number | null;
  first_byte_us: number | null;
  transfer_us: number | null;
  total_us: number | null;
  /** JSON of a fact, as is `message`. */
  reason: string | null;
  message: string | null;
  maintenance: Flag;
}

/** Results of an hour that has long ended, in place of their rows; written by result/packing.ts. */
export interface PackTable {
  monitor_id: number;
  /** Start of the hour, milliseconds. */
  hour_at: number;
  location_id: number;
  /** result/pack.ts. */
  data: Uint8Array;
}

/** Counts of one bucket; probe faults are not in `checks`. Latency is that of passed checks only. */
export interface RollupTable {
  period_seconds: number;
  monitor_id: number;
  bucket_at: number;
  location_id: number;
  checks: number;
  failures: number;
  timed: number;
  sum_us: number;
  min_us: number | null;
  max_us: number | null;
  /** result/histogram.ts, mergeable. */
  histogram: Uint8Array;
}

/** A run of a job that has told that it started, and not yet that it ended. */
export interface HeartbeatRunTable {
  monitor_id: number;
  /** What the job calls it, so that several may be under way; empty: nothing. */
  run: string;
  started_at: number;
  /** When it is late, milliseconds; null: that has been said, or cannot be. */
  late_at: number | null;
}

/** What a job told that its results do not say: a start, a line for the log, the message that came along. */
export interface HeartbeatSignalTable {
  id: Generated<number>;
  monitor_id: number;
  told_at: number;
  signal: HeartbeatSignal;
  exit_code: number | null;
  run: string;
  /** Encrypted; null: none came along. */
  message: string | null;
  /** 1: only the beginning was kept. */
  cut: Flag;
}

/** Tables of what was measured. */
export const RESULT_TABLES = {
  results: table<ResultTable>({
    tenant: OF_MONITOR,
    retention: { rawSince: "scheduled_at", spanMs: 1 },
  }),
  packs: table<PackTable>({ tenant: OF_MONITOR, retention: { rawSince: "hour_at", spanMs: 3_600_000 } }),
  heartbeat_runs: table<HeartbeatRunTable>({
    tenant: OF_MONITOR,
    retention: { rawSince: "started_at", spanMs: 1, beside: "run" },
  }),
  heartbeat_signals: table<HeartbeatSignalTable>({
    tenant: OF_MONITOR,
    retention: { rawSince: "told_at", spanMs: 1, beside: "id" },
  }),
  rollups: table<RollupTable>({ tenant: OF_MONITOR, retention: { daysByPeriod: { 300: 35, 3600: 400 } } }),
};
