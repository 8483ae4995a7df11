import { expect, test } from "vitest";
import { suspectedSkew, type TrustedTime } from "../../../src/engine/results/clock-watch.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = Date.UTC(2026, 10, 21, 9);

/** The last time that was trusted, `elapsedMs` ago by the machine's own measure; null: by an earlier process. */
const trusted = (elapsedMs: number | null): TrustedTime => ({ at: AT, elapsedMs });

test.each([
  ["there is no trusted time", AT + 400 * DAY, null, 0, null],
  ["it went back", AT - 400 * DAY, trusted(0), 0, null],
  ["it is ahead by a day", AT + DAY, trusted(0), 0, null],
  ["it is ahead by more", AT + DAY + 1, trusted(0), 0, DAY + 1],
  ["it is ahead by more of a time before this process", AT + 3 * DAY, trusted(null), 0, 3 * DAY],
  [
    "the machine slept that long, and then it was set a little",
    AT + 20 * DAY,
    trusted(20 * DAY - 3 * HOUR),
    0,
    null,
  ],
  ["it went further than the machine slept", AT + 20 * DAY, trusted(18 * DAY), 0, 2 * DAY],
  ["it has been there for an hour", AT + 20 * DAY, trusted(HOUR), HOUR, null],
  ["it has been there for less", AT + 20 * DAY, trusted(HOUR), HOUR - 1, 20 * DAY - HOUR],
])("whether the clock's skew is suspected where %s", (_name, now, before, steadyMs, skewMs) => {
  expect(suspectedSkew(now, before, steadyMs)).toBe(skewMs);
});
