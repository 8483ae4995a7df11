import type { Db } from "../store/db.ts";
import { lockStates, saveStates } from "../store/queries/states.ts";
import { resumeState } from "./pause.ts";
import { initialState } from "./state.ts";

/** The last check of a monitor that has had none. */
export const NO_CHECK = { at: null, outcome: null, statusCode: null, totalUs: null, result: null };
/** Not used while no vote is there: a new state has nothing that could grow stale. */
const ANY_CONFIG = { intervalMs: 0, timeoutMs: 0, confirmations: 1, recoveries: 1, maintenance: false };

/** A new monitor: unknown until its first result. Call it in the transaction that creates the monitor. */
export async function createState(trx: Db, monitorId: number, now: number): Promise<void> {
  const state = { state: initialState(now), last: NO_CHECK, runs: null, maintenanceUntil: null };
  await saveStates(trx, [{ monitorId, config: ANY_CONFIG, ...state }]);
}

/** These monitors are watched again, as they now stand in the store; earlier results no longer vote. */
export async function markResumed(trx: Db, monitorIds: readonly number[], now: number): Promise<void> {
  const monitors = await lockStates(trx, monitorIds);
  await saveStates(
    trx,
    monitors.map((monitor) => ({ ...monitor, state: resumeState(monitor.state, monitor.revision, now) })),
  );
}
