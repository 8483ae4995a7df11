import type { StatusChange } from "../engine/status/uptime.ts";

/** A period of confirmed downtime, within the time requested. Milliseconds. */
export interface Outage {
  /** The beginning of that time where it had begun before. */
  startedAt: number;
  /** Null: it is not known to have ended within that time. */
  endedAt: number | null;
  /** How long it was down, without what lay in maintenance and without the time in which nothing was known. */
  downMs: number;
}

/**
 * The outages between `from` and `to` (milliseconds); `history` as in timeByStatus, whose downtime they add up to. One
 * ends when the monitor is up: what is not known, and maintenance, interrupt it.
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

/** Mean times of some outages, milliseconds; null without any. */
export interface Recovery {
  /** Downtime an outage (MTTR); one that goes on counts with the time so far. */
  mttrMs: number | null;
  /** Uptime an outage (MTBF). Hence uptime is MTBF ÷ (MTBF + MTTR). */
  mtbfMs: number | null;
}

/** What outages come to. */
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
