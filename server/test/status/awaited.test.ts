import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Awaited, missedAt } from "../../src/status/awaited.ts";

const S = 1_000;
const told = (lastAt: number, hasFailed = false): Awaited => ({
  lastAt,
  hasFailed,
  intervalMs: 300 * S,
  graceMs: 60 * S,
});

describe("what should have been told by now", () => {
  test.each([
    ["is not missed within interval and grace", told(0), 0, 360 * S - 1, null],
    ["is missed when both have passed", told(0), 0, 360 * S, 360 * S],
    ["is missed at the same time whoever looks when", told(0), 0, 659 * S, 360 * S],
    ["is missed again at the newest time there was since", told(0), 0, 1_300 * S, 1_260 * S],
    ["is missed each interval once it has been missed", told(360 * S, true), 0, 660 * S, 660 * S],
    ["is not missed anew before an interval has passed", told(360 * S, true), 0, 660 * S - 1, null],
    ["is missed as usual if somebody listened since before it was due", told(0), 240 * S, 360 * S, 360 * S],
    ["gets its whole time anew if nobody listened when it was due", told(0), 241 * S, 600 * S, null],
    ["is missed after that, at a time that others find too", told(0), 241 * S, 601 * S, 360 * S],
    [
      "gets its time anew also where it had been missed before",
      told(360 * S, true),
      5_000 * S,
      5_359 * S,
      null,
    ],
    [
      "counts from where it was told last while everybody listened",
      told(5_000 * S),
      4_999 * S,
      5_360 * S,
      5_360 * S,
    ],
  ])("%s", (_what, awaited, watchingSince, now, missed) => {
    expect(missedAt(awaited, watchingSince, now)).toBe(missed);
  });

  test("is one of the same times for all who look, whenever they began to listen", () => {
    const whole = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(
        whole,
        whole,
        whole,
        fc.boolean(),
        whole,
        whole,
        (interval, grace, lastAt, hasFailed, since, waited) => {
          const awaited = { lastAt, hasFailed, intervalMs: interval, graceMs: grace };
          const now = lastAt + waited;
          const at = missedAt(awaited, since, now);
          if (at === null) return;
          expect(at).toBeGreaterThan(lastAt);
          expect(at).toBeLessThanOrEqual(now);
          expect(at).toBeGreaterThan(now - interval);
          expect(missedAt(awaited, 0, now)).toBe(at);
        },
      ),
    );
  });
});
