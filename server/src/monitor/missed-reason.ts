import { OUTCOMES } from "../check/outcome.ts";
import { newestVote } from "../status/due.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import { type Fact, fact } from "../texts/fact.ts";

/** Reasons that say what the job itself told: at once, and still when nothing came after that. */
const FAILURES = new Set([
  "job.exit",
  "job.failed",
  "timeout.exit",
  "timeout.failed",
  "timeout.exit_overdue",
  "timeout.failed_overdue",
]);

/** Why a monitor that should have been told by `at` is down: that it was not, and what its job told last if that failed. */
export function missedReason(monitor: WatchedMonitor, at: number): Fact {
  const { config, runs } = monitor;
  const [interval, grace] = [config.intervalMs, config.timeoutMs];
  const last = lastToldAt(monitor);
  if (monitor.kind === "device") return missedByAgent(last, interval + grace);
  const failure = last === null ? null : lastFailure(monitor);
  if (runs?.cron === undefined) {
    const expected = { interval, grace };
    if (last === null) return fact("timeout.heartbeat", expected);
    if (failure === null) return fact("timeout.silent", { last, ...expected });
    const { exit } = failure;
    return exit === null
      ? fact("timeout.failed", { last, ...expected })
      : fact("timeout.exit", { exit, last, ...expected });
  }
  const expected = { due: new Date(at - grace).toISOString(), grace };
  if (last === null) return fact("timeout.due", expected);
  if (failure === null) return fact("timeout.overdue", { ...expected, last });
  const { exit } = failure;
  return exit === null
    ? fact("timeout.failed_overdue", { last, ...expected })
    : fact("timeout.exit_overdue", { exit, last, ...expected });
}

/** `silence`: how long it may be silent, milliseconds. */
const missedByAgent = (last: string | null, silence: number): Fact =>
  last === null ? fact("timeout.agent", { silence }) : fact("timeout.agent_silent", { last });

/**
 * What is missed keeps in its reason when the last one came; null where none did since it was resumed. A vote is not to
 * be asked: a shorter interval moves its time.
 */
export function lastToldAt({ state, last }: Pick<WatchedMonitor, "state" | "last">): string | null {
  const vote = newestVote(state);
  if (vote === undefined) return null;
  // A device that was not healthy has reported that.
  const isTold =
    last.outcome === OUTCOMES.ok.stored ||
    (vote.reason !== null && /^(?:job|health)\./.test(vote.reason.code));
  if (last.at !== null && isTold) return new Date(last.at).toISOString();
  const told = vote.reason?.params?.["last"];
  return told === undefined ? null : String(told);
}

/** What the job failed with when it was heard last, which misses after that keep in their reason; null where it did not. */
function lastFailure({ state }: WatchedMonitor): { exit: string | number | null } | null {
  const reason = newestVote(state)?.reason;
  if (!reason || !FAILURES.has(reason.code)) return null;
  return { exit: reason.params?.["exit"] ?? null };
}
