/** Times as the clock of a zone shows them: `2026-11-29T02:00`, as the browser's own box for times has them. */

const minuteMs = 60_000;

/** How far the zone's clocks are ahead of UTC then, milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  }).formatToParts(atMs);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return shown - Math.floor(atMs / minuteMs) * minuteMs;
}

/** What the zone's clock shows at a time, to the minute. */
export const wallTime = (atMs: number, timeZone: string): string =>
  new Date(atMs + offsetMs(atMs, timeZone)).toISOString().slice(0, 16);

/** When the zone's clock shows this, milliseconds; NaN for what is no time. In a skipped hour: after it. */
export function timeOfWall(wall: string, timeZone: string): number {
  const utcMs = Date.parse(`${wall}Z`);
  if (Number.isNaN(utcMs)) return Number.NaN;
  const guessMs = utcMs - offsetMs(utcMs, timeZone);
  // The clocks may be changed between the two: what holds at the time itself counts.
  const atMs = utcMs - offsetMs(guessMs, timeZone);
  return wallTime(atMs, timeZone) === wall ? atMs : Math.max(atMs, guessMs);
}
