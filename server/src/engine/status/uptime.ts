import type { Status } from "../../platform/monitor-defaults.ts";

/** From `at` on (milliseconds) the monitor had this status, until the next change. */
export interface StatusChange {
  at: number;
  status: Status;
  /** Whether this period lies in a maintenance window. */
  maintenance: boolean;
}

/** Milliseconds of a range by what they count as. `excluded`: unknown, and maintenance. */
export interface StatusTime {
  upMs: number;
  downMs: number;
  excludedMs: number;
}

/** What the time of a status counts as: degraded works, and in maintenance nothing counts. */
export const countsAs = ({ status, maintenance }: Omit<StatusChange, "at">): keyof StatusTime =>
  maintenance || status === "unknown" ? "excludedMs" : status === "down" ? "downMs" : "upMs";

/**
 * Adds up the confirmed status intervals between `from` and `to` (milliseconds). `history` is in
 * order of time; before its first change nothing is known.
 */
export function timeByStatus(history: readonly StatusChange[], from: number, to: number): StatusTime {
  const time: StatusTime = { upMs: 0, downMs: 0, excludedMs: 0 };
  let reached = from;
  let current: StatusChange = { at: from, status: "unknown", maintenance: false };
  for (const change of [...history, { ...current, at: to }]) {
    const until = Math.min(Math.max(change.at, reached), to);
    time[countsAs(current)] += until - reached;
    reached = until;
    current = change;
  }
  return time;
}

/** Unknown says nothing, so that whatever is known is more. */
const WORSE: Record<Status, number> = { unknown: 0, up: 1, degraded: 2, down: 3 };

/**
 * The worst status that lasted for any of the time between `from` and `to` (milliseconds), outside maintenance;
 * `unknown` when nothing was known of it. `history` as in timeByStatus.
 */
export function worstStatus(history: readonly StatusChange[], from: number, to: number): Status {
  let worst: Status = "unknown";
  for (const [index, { at, status, maintenance }] of history.entries()) {
    const until = Math.min(history[index + 1]?.at ?? to, to);
    if (until <= Math.max(at, from) || maintenance) continue;
    if (WORSE[status] > WORSE[worst]) worst = status;
  }
  return worst;
}

/** 0…100 of the known time; null when nothing was known. */
export const uptimeOf = ({ upMs, downMs }: Omit<StatusTime, "excludedMs">): number | null =>
  upMs + downMs > 0 ? (100 * upMs) / (upMs + downMs) : null;

/** Time-weighted uptime, 0…100; null when nothing was known in the whole range. */
export const uptimePercentage = (history: readonly StatusChange[], from: number, to: number): number | null =>
  uptimeOf(timeByStatus(history, from, to));
