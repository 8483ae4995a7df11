import { NOTHING_SEEN } from "../checks/check.ts";
import { OUTCOMES } from "../checks/outcome.ts";
import type { ProbeResult } from "../engine/probe/link.ts";
import { LOCAL } from "../engine/probe/location-probe.ts";
import { storePart } from "../engine/probe/worker-main.ts";
import { listDue, readWatchedMonitors, type WatchedMonitor } from "../engine/queries/states.ts";
import type { PrepareResults } from "../engine/results/store-results.ts";
import {
  awaitedOf,
  awaitedRun,
  type Break,
  missedByMonitor,
  newestVote,
} from "../engine/status/late-signals.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/database/schema.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { HEARTBEAT_TYPE } from "../platform/signalled-types.ts";
import { nextTurn } from "../platform/turns.ts";
import { giveUpRuns, listLateRuns, listOpenRuns, type OpenRun } from "./queries/heartbeats.ts";

const ROUND = 500;

/**
 * Stores failed results of monitors whose signal is overdue. Several processes find the same ones. `breaks`: when no signal
 * could be received. A failure to store one does not stop the others; its error is thrown at the end.
 */
export async function missSignals(
  ctx: Context,
  breaks: readonly Break[],
  store: StoreResults,
): Promise<number> {
  const refused: unknown[] = [];
  let missed = await missLateRuns(ctx, breaks, store, refused);
  const due = await listDue(ctx.store.db, ctx.clock.now());
  for (let begin = 0; begin < due.length; begin += ROUND) {
    const now = ctx.clock.now();
    const prepareResults: PrepareResults = async (_trx, results, monitors) => {
      const known = new Map(monitors.map((monitor) => [monitor.monitorId, monitor]));
      return results.filter(({ monitorId, revision, scheduledAt }) => {
        const monitor = known.get(monitorId);
        return monitor?.revision === revision && missedByMonitor(monitor, breaks, now) === scheduledAt;
      });
    };
    const overdue = await readWatchedMonitors(ctx.store.db, due.slice(begin, begin + ROUND));
    const results = overdue.flatMap((monitor) => {
      const at = missedByMonitor(monitor, breaks, now);
      return at === null ? [] : [missedResult(monitor, at)];
    });
    missed += results.length;
    if (results.length > 0) await storeEach(results, (part) => store(part, prepareResults), refused);
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
function nextRunAt(monitor: WatchedMonitor): number | null {
  const awaited = awaitedOf(monitor);
  return awaited && awaitedRun(awaited);
}

/** Failures that the job itself reported: they apply at once, and still when no signal follows. */
const FAILURES = new Set([
  "job.exit",
  "job.failed",
  "timeout.exit",
  "timeout.failed",
  "timeout.exit_overdue",
  "timeout.failed_overdue",
]);

/** Why a monitor whose signal was due by `at` is down: it is missing, or the job's last signal was a failure. */
function missedReason(monitor: WatchedMonitor, at: number): MessageDescriptor {
  const { config, runs } = monitor;
  const [interval, grace] = [config.intervalMs, config.timeoutMs];
  const last = lastSignalAt(monitor);
  if (monitor.kind === "device") return missedByAgent(last, interval + grace);
  const failure = last === null ? null : lastFailure(monitor);
  if (runs?.cron === undefined) {
    const expected = { interval, grace };
    if (last === null) return msg("timeout.heartbeat", expected);
    if (failure === null) return msg("timeout.silent", { last, ...expected });
    const { exit } = failure;
    return exit === null
      ? msg("timeout.failed", { last, ...expected })
      : msg("timeout.exit", { exit, last, ...expected });
  }
  const expected = { due: new Date(at - grace).toISOString(), grace };
  if (last === null) return msg("timeout.due", expected);
  if (failure === null) return msg("timeout.overdue", { ...expected, last });
  const { exit } = failure;
  return exit === null
    ? msg("timeout.failed_overdue", { last, ...expected })
    : msg("timeout.exit_overdue", { exit, last, ...expected });
}

/** `silence`: how long it may be silent, milliseconds. */
const missedByAgent = (last: string | null, silence: number): MessageDescriptor =>
  last === null ? msg("timeout.agent", { silence }) : msg("timeout.agent_silent", { last });

/**
 * The reason of a miss contains when the last signal came; null where none did since it was resumed. The vote cannot be used: a
 * shorter interval moves its time.
 */
function lastSignalAt({ state, last }: Pick<WatchedMonitor, "state" | "last">): string | null {
  const vote = newestVote(state);
  if (vote === undefined) return null;
  // A device that was not healthy has reported that.
  const isDescribed =
    last.outcome === OUTCOMES.ok.stored ||
    (vote.reason !== null && /^(?:job|health)\./.test(vote.reason.code));
  if (last.at !== null && isDescribed) return new Date(last.at).toISOString();
  const lastSignal = vote.reason?.params?.["last"];
  return lastSignal === undefined ? null : String(lastSignal);
}

/** The failure that the job reported last, which later misses keep in their reason; null where it did not. */
function lastFailure({ state }: WatchedMonitor): { exit: string | number | null } | null {
  const reason = newestVote(state)?.reason;
  if (!reason || !FAILURES.has(reason.code)) return null;
  return { exit: reason.params?.["exit"] ?? null };
}

/** Stores results as `prepareResults` returns them. */
type StoreResults = (results: readonly ProbeResult[], prepareResults: PrepareResults) => Promise<unknown>;

type LateRun = Awaited<ReturnType<typeof listLateRuns>>[number];

/**
 * Stores failed results of runs that have taken too long, and abandons them. If no signal could be received since one started,
 * its end may have been lost: then nothing is stored, and the next run decides. Returns how many it found; errors go to
 * `refused`.
 */
async function missLateRuns(
  ctx: Context,
  breaks: readonly Break[],
  store: StoreResults,
  refused: unknown[],
): Promise<number> {
  const now = ctx.clock.now();
  const late = await listLateRuns(ctx.store.db, now, ROUND);
  for (const run of late) {
    await store([lateResult(run)], prepareLateRun(run, breaks)).catch((error: unknown) =>
      refused.push(error),
    );
  }
  return late.length;
}

const lateResult = ({ monitorId, startedAt, lateAt }: LateRun): ProbeResult => ({
  monitorId,
  location: LOCAL.code,
  scheduledAt: lateAt,
  verdict: "failed",
  reason: msg("timeout.run", { start: new Date(startedAt).toISOString(), limit: lateAt - startedAt }),
  ...NOTHING_SEEN,
});

/** No further signal is stored while the state is locked: a run that has ended meanwhile is not late. */
function prepareLateRun({ monitorId, startedAt, lateAt }: LateRun, breaks: readonly Break[]): PrepareResults {
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

/** The state of a job that sends signals. Milliseconds. */
export interface HeartbeatState {
  /** When the last signal arrived; ISO 8601. */
  lastAt: string | null;
  /** When the next signal is due, before its grace. */
  expectedAt: number | null;
  /** The newest first. */
  runs: OpenRun[];
}

/** For a heartbeat; null for all other types. */
export async function readHeartbeatState(
  db: Db,
  { id, type }: { id: number; type: string },
): Promise<HeartbeatState | null> {
  if (type !== HEARTBEAT_TYPE) return null;
  const [monitor] = await readWatchedMonitors(db, [id]);
  if (!monitor) return { lastAt: null, expectedAt: null, runs: [] };
  const watchedSince = monitor.state.watchedSince ?? 0;
  const runs = (await listOpenRuns(db, id)).filter(({ startedAt }) => startedAt >= watchedSince);
  return { lastAt: lastSignalAt(monitor), expectedAt: nextRunAt(monitor), runs };
}
