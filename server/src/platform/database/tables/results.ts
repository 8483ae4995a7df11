import type { HeartbeatSignal } from "../../signalled-types.ts";
import { bigint, blob, flag, id, integer, OF_MONITOR, type RowOf, table, text } from "../table.ts";

/** Results, packs and roll-ups have no foreign keys: they are removed in slices, after their monitor. */
export const RESULT_TABLES = {
  /** `outcome`: checks/outcome.ts. */
  results: table({
    columns: {
      monitor_id: bigint(),
      location_id: bigint(),
      scheduled_at: bigint(),
      outcome: integer(),
      status_code: integer().nullable(),
      dns_us: bigint().nullable(),
      connect_us: bigint().nullable(),
      tls_us: bigint().nullable(),
      first_byte_us: bigint().nullable(),
      transfer_us: bigint().nullable(),
      total_us: bigint().nullable(),
      /** JSON of a message descriptor, as is `message`. */
      reason: text().nullable(),
      message: text().nullable(),
      maintenance: flag(),
    },
    primaryKey: ["monitor_id", "scheduled_at", "location_id"],
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: { rawSince: "scheduled_at", spanMs: 1 },
  }),
  /** Results of an hour that has long ended, in place of their rows; written by engine/results/pack-results.ts. */
  packs: table({
    columns: {
      monitor_id: bigint(),
      /** Start of the hour, milliseconds. */
      hour_at: bigint(),
      location_id: bigint(),
      /** engine/results/pack-format.ts. */
      data: blob(),
    },
    // With a rowid: without one, rows of more than a kilobyte would each take a page of their own on SQLite.
    primaryKey: ["monitor_id", "hour_at", "location_id"],
    tenant: OF_MONITOR,
    retention: { rawSince: "hour_at", spanMs: 3_600_000 },
  }),
  heartbeat_runs: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      /** What the job calls it, so that several may be under way; empty: nothing. */
      run: text(),
      started_at: bigint(),
      /** When it is late, milliseconds; null: that has been said, or cannot be. */
      late_at: bigint().nullable(),
    },
    primaryKey: ["monitor_id", "run"],
    indexes: {
      heartbeat_runs_late: "(late_at) where late_at is not null",
    },
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: { rawSince: "started_at", spanMs: 1, beside: "run" },
  }),
  /** What a job sent that its results do not say: a start, a line for the log, the message that came along. */
  heartbeat_signals: table({
    columns: {
      id: id(),
      monitor_id: bigint().references("monitors"),
      signalled_at: bigint(),
      signal: text<HeartbeatSignal>(),
      exit_code: integer().nullable(),
      run: text(),
      /** Encrypted; null: none came along. */
      message: text().nullable(),
      /** 1: only the beginning was stored. */
      cut: flag(),
    },
    indexes: {
      heartbeat_signals_monitor: "(monitor_id, signalled_at, id)",
    },
    tenant: OF_MONITOR,
    retention: { rawSince: "signalled_at", spanMs: 1, beside: "id" },
  }),
  /** Counts of one bucket; probe faults are not in `checks`. Latency is that of passed checks only. */
  rollups: table({
    columns: {
      period_seconds: integer(),
      monitor_id: bigint(),
      bucket_at: bigint(),
      location_id: bigint(),
      checks: integer(),
      failures: integer(),
      timed: integer(),
      sum_us: bigint(),
      min_us: bigint().nullable(),
      max_us: bigint().nullable(),
      /** platform/database/histogram.ts, mergeable. */
      histogram: blob(),
    },
    // Time before monitor: what a batch of results touches lies on a few pages, whichever monitors it is about.
    primaryKey: ["period_seconds", "bucket_at", "monitor_id", "location_id"],
    withoutRowid: true,
    tenant: OF_MONITOR,
    retention: { daysByPeriod: { 300: 35, 3600: 400 } },
  }),
};

export type ResultTable = RowOf<(typeof RESULT_TABLES)["results"]>;
export type RollupTable = RowOf<(typeof RESULT_TABLES)["rollups"]>;
