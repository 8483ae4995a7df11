/** A monitor that is told. Times are milliseconds since 1970. */
export interface Awaited {
  lastAt: number;
  /** What there was at `lastAt`: its newest result, or that it was resumed after that. */
  last: "told" | "missed" | "resumed";
  intervalMs: number;
  graceMs: number;
}

/** A time in which nobody could be told. */
export interface Break {
  from: number;
  to: number;
}

/**
 * For when a result has to be missed, at `now`: the newest time at which one should have come at last, null while it
 * is not late. After the first of them there is one each interval, the same whoever asks. `breaks`: oldest first.
 */
export function missedAt(awaited: Awaited, breaks: readonly Break[], now: number): number | null {
  const { lastAt, last, intervalMs, graceMs } = awaited;
  const firstAt = lastAt + intervalMs + (last === "missed" ? 0 : graceMs);
  const fromAt = last === "resumed" ? lastAt : Math.max(firstAt - 2 * graceMs, lastAt);
  const window = { fromAt, firstAt, intervalMs, graceMs };
  if (now < firstAt || now < lateAt(window, breaks)) return null;
  return firstAt + Math.floor((now - firstAt) / intervalMs) * intervalMs;
}

/** From when on the first run can be told, and when it is late. */
interface Window {
  fromAt: number;
  firstAt: number;
  intervalMs: number;
  graceMs: number;
}

/**
 * What was told in a break is told again an interval later. So one run is forgiven for all breaks together; beside it
 * each costs its own length, and as much again up to the grace. But a run that nothing kept from being told and that
 * did not come is never put off for longer than an interval and the grace.
 */
function lateAt({ fromAt, firstAt, intervalMs, graceMs }: Window, breaks: readonly Break[]): number {
  const missing = breaks.filter(({ to }) => to > fromAt);
  let at = firstAt;
  for (const [index, { from, to }] of missing.entries()) {
    if (from > at) break;
    const lostMs = to - Math.max(from, fromAt);
    at += lostMs + Math.min(lostMs, graceMs) + (index === 0 ? intervalMs : 0);
    const undisturbedAt = firstAt + Math.ceil((to - fromAt) / intervalMs) * intervalMs;
    const next = missing[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (undisturbedAt < next) return Math.min(at, undisturbedAt + intervalMs + graceMs);
  }
  return at;
}
