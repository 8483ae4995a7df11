import type { StatusChange } from "../engine/status/uptime.ts";

/** Confirmed downtime within the period. Milliseconds. */
export interface Outage {
  /** The period's start where it began before. */
  startedAt: number;
  /** Null: ongoing, or its end is unknown. */
  endedAt: number | null;
  /** Without maintenance and unknown time. */
  downMs: number;
}

/**
 * Between `from` and `to` (milliseconds); `history` as in timeByStatus, with whose downtime they agree. Only
 * being up ends one: unknown time and maintenance interrupt it.
 */
export function outagesOf(history: readonly StatusChange[], from: number, to: number): Outage[] {
  const outages: Outage[] = [];
  let current: Outage | null = null;
  let reached = from;
  for (const [index, { status, maintenance }] of history.entries()) {
    const begin = reached;
    reached = Math.min(Math.max(history[index + 1]?.at ?? to, reached), to);
    const begun = Math.max(begin, Math.min((history[index] as StatusChange).at, to));
    if (status === "unknown" || begun >= to) continue;
    if (status !== "down") {
      if (current) current.endedAt = begun;
      current = null;
    } else if (!maintenance && reached > begun) {
      if (!current) outages.push((current = { startedAt: begun, endedAt: null, downMs: 0 }));
      current.downMs += reached - begun;
    }
  }
  return outages;
}

/** Milliseconds; null without outages. */
export interface Recovery {
  /** MTTR; an ongoing outage counts with the time so far. */
  mttrMs: number | null;
  /** MTBF. Uptime is MTBF ÷ (MTBF + MTTR). */
  mtbfMs: number | null;
}

export const recoveryOf = ({
  upMs,
  downMs,
  outages,
}: {
  upMs: number;
  downMs: number;
  outages: number;
}): Recovery => ({
  mttrMs: outages === 0 ? null : downMs / outages,
  mtbfMs: outages === 0 ? null : upMs / outages,
});
