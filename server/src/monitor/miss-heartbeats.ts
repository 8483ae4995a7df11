import { NOTHING_SEEN } from "../check/check.ts";
import { OUTCOMES } from "../check/outcome.ts";
import { passiveTypes } from "../check/registry.ts";
import type { Context } from "../context.ts";
import type { Stands } from "../pipeline.ts";
import type { ProbeResult } from "../probe/link.ts";
import { LOCAL } from "../probe/location-probe.ts";
import { storePart } from "../probe/store-part.ts";
import { type Break, missedAt } from "../status/awaited.ts";
import { listOverdue, type WatchedMonitor } from "../store/queries/states.ts";
import { fact } from "../texts/fact.ts";
import { nextTurn } from "../turns.ts";

const ROUND = 500;

/** Stores those results that stand. */
type Store = (results: readonly ProbeResult[], stands: Stands) => Promise<unknown>;

/**
 * Stores the failed results of monitors that should have been told by now. Several processes find the same ones.
 * `breaks`: when nobody could be told. What cannot be stored keeps nothing else from it; its error is thrown at the end.
 */
export async function missHeartbeats(ctx: Context, breaks: readonly Break[], store: Store): Promise<number> {
  const refused: unknown[] = [];
  let missed = 0;
  for (let afterId = 0; ; ) {
    const now = ctx.clock.now();
    const stands: Stands = (result, monitor) =>
      monitor.revision === result.revision && missedByMonitor(monitor, breaks, now) === result.scheduledAt;
    const overdue = await listOverdue(ctx.store.db, { types: passiveTypes, now, afterId, limit: ROUND });
    const results = overdue.flatMap((monitor) => {
      const at = missedByMonitor(monitor, breaks, now);
      return at === null ? [] : [missedResult(monitor, at)];
    });
    missed += results.length;
    if (results.length > 0) await storeEach(results, (part) => store(part, stands), refused);
    if (overdue.length < ROUND) break;
    afterId = overdue.at(-1)?.monitorId ?? 0;
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

function missedByMonitor(
  { config, state }: WatchedMonitor,
  breaks: readonly Break[],
  now: number,
): number | null {
  const { intervalMs, timeoutMs: graceMs } = config;
  const vote = state.locations[LOCAL.code];
  // Told before it was paused, and not since it was resumed.
  const lastAt = vote?.lastAt ?? state.watchedSince;
  if (lastAt === null) return null;
  const last = vote === undefined ? "resumed" : vote.failures > 0 ? "missed" : "told";
  return missedAt({ lastAt, last, intervalMs, graceMs }, breaks, now);
}

function missedResult(monitor: WatchedMonitor, at: number): ProbeResult {
  const { monitorId, revision, config } = monitor;
  const expected = { interval: config.intervalMs, grace: config.timeoutMs };
  const last = lastToldAt(monitor);
  const reason =
    last === null ? fact("timeout.heartbeat", expected) : fact("timeout.silent", { last, ...expected });
  return {
    monitorId,
    revision,
    location: LOCAL.code,
    scheduledAt: at,
    verdict: "failed",
    reason,
    ...NOTHING_SEEN,
  };
}

/**
 * What is missed keeps in its reason when the last one came; null where none did since it was resumed. A vote is not to
 * be asked: a shorter interval moves its time.
 */
function lastToldAt({ state, last }: WatchedMonitor): string | null {
  const vote = state.locations[LOCAL.code];
  if (vote === undefined) return null;
  if (last.at !== null && last.outcome === OUTCOMES.ok.stored) return new Date(last.at).toISOString();
  const told = vote.reason?.params?.["last"];
  return told === undefined ? null : String(told);
}
