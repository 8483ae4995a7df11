import type { Db } from "../store/db.ts";
import { appendEvents } from "../store/queries/events.ts";
import { lockStates, saveStates } from "../store/queries/states.ts";
import { pauseState, resumeState } from "./pause.ts";
import { recordChanges } from "./record-changes.ts";
import { initialState } from "./state.ts";

const NO_CHECK = { at: null, outcome: null, statusCode: null, totalUs: null, result: null };
/** Not used while no vote is there: a new state has nothing that could grow stale. */
const ANY_CONFIG = { intervalMs: 0, timeoutMs: 0, confirmations: 1, recoveries: 1, maintenance: false };

/** A new monitor: unknown until its first result. Call it in the transaction that creates the monitor. */
export async function createState(trx: Db, monitorId: number, now: number): Promise<void> {
  await saveStates(trx, [{ monitorId, config: ANY_CONFIG, state: initialState(now), last: NO_CHECK }]);
}

/**
 * Nobody watches these monitors from now on: they are unknown, and an open outage's incident is
 * resolved with an update that says so. Call it before marking a monitor deleted, in the same
 * transaction; call `ctx.live.wake()` after it commits.
 */
export async function markPaused(
  trx: Db,
  monitorIds: readonly number[],
  now: number,
  reason: "paused" | "deleted" = "paused",
): Promise<void> {
  const changes = (await lockStates(trx, monitorIds)).map((monitor) => {
    const { state, events } = pauseState(monitor.state, now, reason);
    return { monitor: { ...monitor, state }, events };
  });
  await saveStates(
    trx,
    changes.map(({ monitor }) => monitor),
  );
  appendEvents(trx, await recordChanges(trx, changes, now), now);
}

/** These monitors are watched again, as they now stand in the store; earlier results no longer vote. */
export async function markResumed(trx: Db, monitorIds: readonly number[], now: number): Promise<void> {
  const monitors = await lockStates(trx, monitorIds);
  await saveStates(
    trx,
    monitors.map((monitor) => ({ ...monitor, state: resumeState(monitor.state, monitor.revision, now) })),
  );
}
