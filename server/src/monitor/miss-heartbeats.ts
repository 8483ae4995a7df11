import { NOTHING_SEEN } from "../check/check.ts";
import type { Context } from "../context.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import { storePart } from "../probe/store-part.ts";
import type { Settle } from "../result/settle.ts";
import { awaitedRun, type Break, missedAt } from "../status/awaited.ts";
import { awaitedOf } from "../status/due.ts";
import { listDue, readTold, type WatchedMonitor } from "../store/queries/states.ts";
import { nextTurn } from "../turns.ts";
import { missLateRuns, type StoreSettled } from "./miss-late-runs.ts";
import { missedReason } from "./missed-reason.ts";

const ROUND = 500;

/**
 * Stores the failed results of monitors that should have been told by now. Several processes find the same ones.
 * `breaks`: when nobody could be told. What cannot be stored keeps nothing else from it; its error is thrown at the end.
 */
export async function missHeartbeats(
  ctx: Context,
  breaks: readonly Break[],
  store: StoreSettled,
): Promise<number> {
  const refused: unknown[] = [];
  let missed = await missLateRuns(ctx, breaks, store, refused);
  const due = await listDue(ctx.store.db, ctx.clock.now());
  for (let begin = 0; begin < due.length; begin += ROUND) {
    const now = ctx.clock.now();
    const settle: Settle = async (_trx, results, monitors) => {
      const known = new Map(monitors.map((monitor) => [monitor.monitorId, monitor]));
      return results.filter(({ monitorId, revision, scheduledAt }) => {
        const monitor = known.get(monitorId);
        return monitor?.revision === revision && missedByMonitor(monitor, breaks, now) === scheduledAt;
      });
    };
    const overdue = await readTold(ctx.store.db, due.slice(begin, begin + ROUND));
    const results = overdue.flatMap((monitor) => {
      const at = missedByMonitor(monitor, breaks, now);
      return at === null ? [] : [missedResult(monitor, at)];
    });
    missed += results.length;
    if (results.length > 0) await storeEach(results, (part) => store(part, settle), refused);
    await nextTurn();
  }
  if (refused.length > 0) throw refused[0];
  return missed;
}

/** Stores what can be stored, and notes why the rest could not. */
async function storeEach(
  results: readonly ProbeResult[],
  store: (part: readonly ProbeResult[]) => Promise<unknown>,
  refused: unknown[],
): Promise<void> {
  const accept = async ({ results: part }: { results: readonly ProbeResult[] }) => {
    await store(part).catch((error: unknown) => {
      refused.push(error);
      throw error;
    });
  };
  await storePart({ accept }, results, 0);
}

/**
 * A job that has said that it started is not late before its run is: then what is late now had been late for as long as a
 * run may take. One that starts again and again, and never ends, does not put that off.
 */
function missedByMonitor(
  monitor: WatchedMonitor | undefined,
  breaks: readonly Break[],
  now: number,
): number | null {
  const awaited = monitor && awaitedOf(monitor);
  if (!awaited) return null;
  const isRunning = (monitor.runningUntil ?? 0) > now;
  if (isRunning && missedAt(awaited, breaks, now - maxRunMs(monitor)) === null) return null;
  return missedAt(awaited, breaks, now);
}

const maxRunMs = ({ runs, config }: WatchedMonitor): number =>
  runs?.maxRuntime === undefined ? config.timeoutMs : runs.maxRuntime * 1000;

/** The result that says so. */
function missedResult(monitor: WatchedMonitor, at: number): ProbeResult {
  const { monitorId, revision } = monitor;
  return {
    monitorId,
    revision,
    location: LOCAL.code,
    scheduledAt: at,
    verdict: "failed",
    reason: missedReason(monitor, at),
    ...NOTHING_SEEN,
  };
}

/** When the job of a monitor is to run next; null where nothing is waited for. */
export function nextRunAt(monitor: WatchedMonitor): number | null {
  const awaited = awaitedOf(monitor);
  return awaited && awaitedRun(awaited);
}
