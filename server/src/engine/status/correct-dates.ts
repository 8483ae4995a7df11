import { correctIncidentDates } from "../../incidents/queries/automatic-incidents.ts";
import { CLOCK_AHEAD_LIMIT_MS, isFromWrongClock } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { correctCertificateDates } from "../queries/certificates.ts";
import { listStatesAfter, lockStates, saveStates } from "../queries/states.ts";
import { correctTransitionDates } from "../queries/transitions.ts";
import { correctState } from "./state.ts";

const BATCH_SIZE = 500;

/**
 * Corrects the states of all monitors that a clock has dated hours ahead of `now`, and with them their
 * history, open incidents and certificates; paused ones too. Results keep their times: they are never removed on
 * the word of a clock. `wasCorrected`: just now; then results may have brought some states back already, and the
 * others of all monitors are looked at. Returns how many monitors that were.
 */
export async function correctDates(
  { store }: Pick<Context, "store">,
  now: number,
  wasCorrected: boolean,
): Promise<number> {
  const limit = now + CLOCK_AHEAD_LIMIT_MS;
  if (!isFromWrongClock(limit + 1, now)) return 0;
  const after = wasCorrected ? 0 : limit;
  for (let count = 0, afterId = 0; ; ) {
    const ids = await listStatesAfter(store.db, { after, afterId, limit: BATCH_SIZE });
    if (ids.length === 0) return count;
    afterId = ids.at(-1) ?? 0;
    await store.transaction(async (trx) => {
      const monitors = await lockStates(trx, ids);
      const states = monitors.map((monitor) => {
        const { last, state } = monitor;
        const at = last.at !== null && isFromWrongClock(last.at, now) ? now : last.at;
        return { ...monitor, state: correctState(state, now), last: { ...last, at } };
      });
      await saveStates(trx, states);
      const lockedIds = monitors.map(({ monitorId }) => monitorId);
      await correctTransitionDates(trx, lockedIds, { limit, now });
      await correctIncidentDates(trx, lockedIds, { limit, now });
      await correctCertificateDates(trx, lockedIds, { limit, now });
    });
    count += ids.length;
  }
}
