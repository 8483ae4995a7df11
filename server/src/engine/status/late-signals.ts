import { readMeta, writeMeta } from "../../platform/database/installation.ts";
import type { Db } from "../../platform/database/schema.ts";
import { cronTimes, everyInterval, type RunTimes } from "../../platform/formats/cron.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { LocationState, MonitorState, StatusConfig } from "./state.ts";

/** A monitor that receives signals. Times are milliseconds since 1970. */
export interface Awaited {
  lastAt: number;
  /** What there was at `lastAt`: its newest result, or that it was resumed after that. */
  last: "received" | "missed" | "resumed";
  times: RunTimes;
  graceMs: number;
}

/** A time in which no signal could be received. */
export interface Break {
  from: number;
  to: number;
}

/** The run that is waited for. */
export const awaitedRun = ({ lastAt, last, times, graceMs }: Awaited): number =>
  times.after(last === "missed" ? lastAt - graceMs : lastAt);

/**
 * For when a result has to be missed, at `now`: the newest time at which one should have come at last, null while it
 * is not late. After the first of them there is one for each run, the same for every caller. `breaks`: oldest first.
 */
export function missedAt(awaited: Awaited, breaks: readonly Break[], now: number): number | null {
  const { times, graceMs } = awaited;
  const run = awaitedRun(awaited);
  if (now < run + graceMs || now < lateAt(awaited, run, breaks)) return null;
  return times.notAfter(run, now - graceMs) + graceMs;
}

/**
 * When the run is late. A signal sent in a break is sent again with the next run. So one run is forgiven for all breaks
 * together; beside it each costs its own length, and as much again up to the grace. But a run whose signal could be received
 * and did not come is never put off for longer than until the next one and two graces.
 */
function lateAt({ lastAt, last, times, graceMs }: Awaited, run: number, breaks: readonly Break[]): number {
  const fromAt = last === "resumed" ? lastAt : Math.max(run - graceMs, lastAt);
  const missing = breaks.filter(({ to }) => to > fromAt);
  let at = run + graceMs;
  for (const [index, { from, to }] of missing.entries()) {
    if (from > at) break;
    const lostMs = to - Math.max(from, fromAt);
    at += lostMs + Math.min(lostMs, graceMs) + (index === 0 ? times.after(run) - run : 0);
    // The first run whose signal can be received in all of the time that this one had.
    const undisturbed = times.notBefore(run, to + run - fromAt);
    const next = missing[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (undisturbed + graceMs < next) return Math.min(at, times.after(undisturbed) + 2 * graceMs);
  }
  return at;
}

/** What the configuration of a monitor that receives signals says of its runs. */
export interface RunSettings {
  cron?: string;
  timeZone?: string;
  /** Seconds that a run may take; absent: the grace. */
  maxRuntime?: number;
}

/** What decides when a monitor that receives signals is late; `runs` is null for all others. */
interface AwaitedMonitor {
  runs: RunSettings | null;
  /** `timeoutMs` is its grace. */
  config: StatusConfig;
  state: MonitorState;
  last: { at: number | null };
}

/** What is waited for; null: nothing, as it has received no signal yet, is paused, or is checked by probes. */
export function awaitedOf({ runs, config, state, last }: AwaitedMonitor): Awaited | null {
  if (runs === null || state.watchedSince === null || last.at === null) return null;
  const { cron, timeZone = "UTC" } = runs;
  const vote = newestVote(state);
  return {
    // Received before it was paused, and not since it was resumed.
    lastAt: vote?.lastAt ?? state.watchedSince,
    last: vote === undefined ? "resumed" : isMiss(vote.reason) ? "missed" : "received",
    // A time zone may be one that only another version knows: then the longest time between two runs counts.
    times: (cron !== undefined && cronTimes(cron, timeZone)) || everyInterval(config.intervalMs),
    graceMs: config.timeoutMs,
  };
}

/** From when on it may be late; breaks of the server and a run that is under way put that off. */
export function dueAt(watched: AwaitedMonitor): number | null {
  const awaited = awaitedOf(watched);
  return awaited === null ? null : awaitedRun(awaited) + awaited.graceMs;
}

/** The newest result that counts; it arrives at one location only. */
export const newestVote = ({ locations }: MonitorState): LocationState | undefined =>
  Object.values(locations).reduce<LocationState | undefined>(
    (newest, vote) => (newest && newest.lastAt >= vote.lastAt ? newest : vote),
    undefined,
  );

/** Whether the reason is a missing signal, or a run that started and did not end, rather than a signal's content. */
export const isMiss = (reason: MessageDescriptor | null): boolean =>
  reason !== null && reason.code.startsWith("timeout.") && reason.code !== "timeout.run";

/**
 * A job that has said that it started is not late before its run is: then what is late now had been late for as long as a
 * run may take. One that starts again and again, and never ends, does not put that off.
 */
export function missedByMonitor(
  monitor: (AwaitedMonitor & { runningUntil: number | null }) | undefined,
  breaks: readonly Break[],
  now: number,
): number | null {
  const awaited = monitor && awaitedOf(monitor);
  if (!awaited) return null;
  const isRunning = (monitor.runningUntil ?? 0) > now;
  if (isRunning && missedAt(awaited, breaks, now - maxRunMs(monitor)) === null) return null;
  return missedAt(awaited, breaks, now);
}

const maxRunMs = ({ runs, config }: AwaitedMonitor): number =>
  runs?.maxRuntime === undefined ? config.timeoutMs : runs.maxRuntime * 1000;

/** A sweep is due every second: when none got through for this long, nor did results. */
const BREAK_MS = 5_000;
/** What the next process is to know. After a crash its break is too long by this at most. */
const META_KEY = "listening";
const KEEP_MS = 60_000;
/** More than a heartbeat can be waited for: three days, and the breaks in between. */
const MOST_AGE_MS = 14 * 86_400_000;
const MOST_BREAKS = 200;

/**
 * When results could not come in: the server was stopped, the machine slept, the store was away. What was silent then
 * says nothing about a monitor, so it is given time for it. Times are milliseconds since 1970.
 */
export interface Listening {
  /** Since when there has been no break, for a sweep at `now`. */
  since(now: number): number;
  /** The breaks of this process and of those before it, oldest first, for a sweep at `now`. */
  breaks(now: number): readonly Break[];
  /** A sweep got through. Keeps that for the next process; throws the store's error. */
  markActive(now: number): Promise<void>;
  /** The store was away when there were results. */
  interrupted(now: number): void;
}

/** Throws the store's error. */
export async function startListening(db: Db, startedAt: number): Promise<Listening> {
  const stored = await readMeta(db, META_KEY);
  const known: { activeAt: number; breaks: Break[] } = stored
    ? JSON.parse(stored)
    : { activeAt: 0, breaks: [] };
  let breaks = withBreak(known.breaks, { from: known.activeAt, to: startedAt });
  let since = startedAt;
  let activeAt = startedAt;
  let savedAt = Number.NEGATIVE_INFINITY;
  const note = (now: number) => {
    breaks = withBreak(breaks, { from: activeAt, to: now });
    since = activeAt = now;
    savedAt = Number.NEGATIVE_INFINITY;
  };
  const look = (now: number) => {
    // A clock that was set back by more is no measure of anything before.
    if (Math.abs(now - activeAt) > BREAK_MS) note(now);
  };
  return {
    since(now) {
      look(now);
      return since;
    },
    breaks(now) {
      look(now);
      return breaks;
    },
    async markActive(now) {
      // The sweep itself may have been what the break was in.
      look(now);
      activeAt = now;
      if (Math.abs(now - savedAt) < KEEP_MS) return;
      await writeMeta(db, META_KEY, JSON.stringify({ activeAt, breaks }));
      savedAt = now;
    },
    interrupted: note,
  };
}

/** With one more at their end: those that follow each other closely are one. Of a clock that was set back the rest goes. */
export function withBreak(breaks: readonly Break[], { from, to }: Break): Break[] {
  const begunAt = Math.min(from, to);
  const all = breaks.filter((each) => each.from < begunAt && each.to > to - MOST_AGE_MS);
  const last = all.at(-1);
  if (last && last.to + BREAK_MS >= begunAt) all[all.length - 1] = { from: last.from, to };
  else all.push({ from: begunAt, to });
  return all.length > MOST_BREAKS ? withoutShortestGap(all) : all;
}

/** Makes one of the two breaks that are nearest to each other. */
function withoutShortestGap(breaks: readonly Break[]): Break[] {
  const gaps = breaks.slice(1).map(({ from }, index) => from - (breaks[index]?.to ?? 0));
  const at = gaps.indexOf(Math.min(...gaps));
  return breaks.flatMap(({ from, to }, index) => {
    if (index === at + 1) return [];
    return [index === at ? { from, to: breaks[at + 1]?.to ?? to } : { from, to }];
  });
}
