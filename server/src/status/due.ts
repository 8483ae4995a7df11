import { cronTimes } from "../schedule/cron.ts";
import type { Fact } from "../texts/fact.ts";
import { type Awaited, awaitedRun } from "./awaited.ts";
import { everyInterval } from "./run-times.ts";
import type { LocationState, MonitorState, StatusConfig } from "./state.ts";

/** What the configuration of a monitor that is told says of its runs. */
export interface RunSettings {
  cron?: string;
  timeZone?: string;
  /** Seconds that a run may take; absent: the grace. */
  maxRuntime?: number;
}

/** What decides when a monitor that is told is late; `runs` is null for all others. */
export interface Told {
  runs: RunSettings | null;
  /** `timeoutMs` is its grace. */
  config: StatusConfig;
  state: MonitorState;
  last: { at: number | null };
}

/** What is waited for; null: nothing, as it has never been told, is paused, or asks by itself. */
export function awaitedOf({ runs, config, state, last }: Told): Awaited | null {
  if (runs === null || state.watchedSince === null || last.at === null) return null;
  const { cron, timeZone = "UTC" } = runs;
  const vote = newestVote(state);
  return {
    // Told before it was paused, and not since it was resumed.
    lastAt: vote?.lastAt ?? state.watchedSince,
    last: vote === undefined ? "resumed" : isMiss(vote.reason) ? "missed" : "told",
    // A time zone may be one that only another version knows: then the longest time between two runs counts.
    times: (cron !== undefined && cronTimes(cron, timeZone)) || everyInterval(config.intervalMs),
    graceMs: config.timeoutMs,
  };
}

/** From when on it may be late; breaks of the server and a run that is under way put that off. */
export function dueAt(told: Told): number | null {
  const awaited = awaitedOf(told);
  return awaited === null ? null : awaitedRun(awaited) + awaited.graceMs;
}

/** The newest result that counts; it is told to one location only. */
export const newestVote = ({ locations }: MonitorState): LocationState | undefined =>
  Object.values(locations).reduce<LocationState | undefined>(
    (newest, vote) => (newest && newest.lastAt >= vote.lastAt ? newest : vote),
    undefined,
  );

/** Whether the reason is that nothing was told, not what was told, or that a run which had started did not end. */
export const isMiss = (reason: Fact | null): boolean =>
  reason !== null && reason.code.startsWith("timeout.") && reason.code !== "timeout.run";
