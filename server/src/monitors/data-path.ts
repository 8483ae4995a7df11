import type { ProbeResult } from "../engine/probe/link.ts";
import type { WatchedMonitor } from "../engine/queries/states.ts";
import type { UnknownMonitor } from "../engine/status/advance-states.ts";
import type { StopReason } from "../engine/status/pause.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import type { ActiveWindows } from "./maintenance/active-windows.ts";

/** Changes of state that monitors themselves set off, with all that follows from these (app/pipeline.ts). */
export interface DataPath {
  /**
   * Lets monitors that are derived from others follow them. They are concluded with their states locked: of two processes
   * the second sees what the first has seen, or more. Nothing else is locked, so there is no deadlock.
   */
  ingestDerived(ctx: Context, monitorIds: readonly number[], derive: Derive): Promise<void>;
  /**
   * Lets those of these monitors enter or leave a maintenance window whose time has come. Another process that does the
   * same finds nothing left to do.
   */
  crossWindows(ctx: Context, windows: ActiveWindows, monitorIds: readonly number[]): Promise<void>;
  /**
   * Lets those of these monitors that are held back go on as their parents now allow. Another process that does the same
   * finds nothing left to do.
   */
  crossParents(ctx: Context, monitorIds: readonly number[]): Promise<void>;
  /**
   * These monitors are no longer watched: they are unknown, and an open outage's incident is resolved with an update that
   * says so. Call it before marking a monitor deleted, in the same transaction; call `ctx.live.wake()` after it commits.
   */
  markPaused(trx: Db, monitorIds: readonly number[], now: number, reason?: StopReason): Promise<void>;
}

declare module "../platform/context.ts" {
  interface Context {
    dataPath: DataPath;
  }
}

/** What locked monitors come to by what the store says of others. */
export type Derive = (
  trx: Db,
  monitors: readonly WatchedMonitor[],
  now: number,
) => Promise<{ results: readonly ProbeResult[]; unknowns: readonly UnknownMonitor[] }>;
