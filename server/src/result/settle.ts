import type { ProbeResult } from "../probe/link.ts";
import type { Db } from "../store/db.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";

/**
 * Says in the transaction what is to be stored of these results, once the states of their monitors are locked: all of them,
 * those that are still true, or others. Run again, it begins anew.
 */
export type Settle = (
  trx: Db,
  results: readonly ProbeResult[],
  monitors: readonly WatchedMonitor[],
) => Promise<readonly ProbeResult[]>;
