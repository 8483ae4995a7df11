import { NOTHING_SEEN } from "../check/check.ts";
import type { Context } from "../context.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import type { Settle } from "../result/settle.ts";
import type { Break } from "../status/awaited.ts";
import { giveUpRuns, listLateRuns, listOpenRuns } from "../store/queries/heartbeats.ts";
import { fact } from "../texts/fact.ts";

const ROUND = 500;

/** Stores results as they are settled. */
export type StoreSettled = (results: readonly ProbeResult[], settle: Settle) => Promise<unknown>;

type LateRun = Awaited<ReturnType<typeof listLateRuns>>[number];

/**
 * Stores the failed results of runs that have taken too long, and gives them up. Where nobody could be told since one
 * started, its end may have been lost: then it says nothing, and the next run shows. Returns how many it found;
 * errors go to `refused`.
 */
export async function missLateRuns(
  ctx: Context,
  breaks: readonly Break[],
  store: StoreSettled,
  refused: unknown[],
): Promise<number> {
  const now = ctx.clock.now();
  const late = await listLateRuns(ctx.store.db, now, ROUND);
  for (const run of late) {
    await store([lateResult(run)], settleLate(run, breaks)).catch((error: unknown) => refused.push(error));
  }
  return late.length;
}

const lateResult = ({ monitorId, startedAt, lateAt }: LateRun): ProbeResult => ({
  monitorId,
  location: LOCAL.code,
  scheduledAt: lateAt,
  verdict: "failed",
  reason: fact("timeout.run", { start: new Date(startedAt).toISOString(), limit: lateAt - startedAt }),
  ...NOTHING_SEEN,
});

/** With the state locked nothing more can be told: what has ended meanwhile is not late. */
function settleLate({ monitorId, startedAt, lateAt }: LateRun, breaks: readonly Break[]): Settle {
  return async (trx, results, [monitor]) => {
    const open = await listOpenRuns(trx, monitorId);
    if (!monitor || !open.some((run) => run.lateAt === lateAt)) return [];
    await giveUpRuns(trx, monitorId, lateAt);
    const { watchedSince } = monitor.state;
    if (watchedSince === null || startedAt < watchedSince) return [];
    if (breaks.some(({ to }) => to > startedAt)) return [];
    return results.map((result) => ({ ...result, revision: monitor.revision }));
  };
}
