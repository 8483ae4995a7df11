import { expect, test } from "vitest";
import { suspectedSkew, type TrustedTime } from "../../../src/engine/results/clock-watch.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = Date.UTC(2026, 10, 21, 9);

/** The last time that was believed, `elapsedMs` ago by the machine's own measure; null: by an earlier process. */
const believed = (elapsedMs: number | null): TrustedTime => ({ at: AT, elapsedMs });

test.each([
  ["nobody knows better", AT + 400 * DAY, null, 0, null],
  ["it went back", AT - 400 * DAY, believed(0), 0, null],
  ["it is ahead by a day", AT + DAY, believed(0), 0, null],
  ["it is ahead by more", AT + DAY + 1, believed(0), 0, DAY + 1],
  ["it is ahead by more of a time before this process", AT + 3 * DAY, believed(null), 0, 3 * DAY],
  [
    "the machine slept that long, and then it was set a little",
    AT + 20 * DAY,
    believed(20 * DAY - 3 * HOUR),
    0,
    null,
  ],
  ["it went further than the machine slept", AT + 20 * DAY, believed(18 * DAY), 0, 2 * DAY],
  ["it has stood there for an hour", AT + 20 * DAY, believed(HOUR), HOUR, null],
  ["it has stood there for less", AT + 20 * DAY, believed(HOUR), HOUR - 1, 20 * DAY - HOUR],
])("whether a clock is doubted where %s", (_name, now, before, steadyMs, skewMs) => {
  expect(suspectedSkew(now, before, steadyMs)).toBe(skewMs);
});
