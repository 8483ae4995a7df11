import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Awaited, type Break, missedAt } from "../../../src/engine/status/late-signals.ts";
import { cronTimes, everyInterval } from "../../../src/platform/formats/cron.ts";

const S = 1_000;
const HOUR = 3_600 * S;
const DAY = 24 * HOUR;
const awaited = (lastAt: number, last: Awaited["last"] = "received"): Awaited => ({
  lastAt,
  last,
  times: everyInterval(300 * S),
  graceMs: 60 * S,
});
const away = (...spans: [number, number][]): Break[] =>
  spans.map(([from, to]) => ({ from: from * S, to: to * S }));
const always: Break[] = [];
const OFTEN = away([241, 400], [401, 600], [601, 840], [961, 1_300]);

describe("what should have arrived by now", () => {
  test.each([
    ["is not missed within interval and grace", awaited(0), always, 359, null],
    ["is missed when both have passed", awaited(0), always, 360, 360],
    ["is missed at the same time whenever it is looked at", awaited(0), always, 659, 360],
    ["is missed again at the newest time there was since", awaited(0), always, 1_300, 1_260],
    ["is missed each interval once it has been missed", awaited(360 * S, "missed"), always, 660, 660],
    ["is not missed anew before an interval has passed", awaited(360 * S, "missed"), always, 659, null],
    [
      "is missed as usual after a break that ended before it could come",
      awaited(0),
      away([20, 240]),
      360,
      360,
    ],
    ["gets one more interval for a break, and its length twice", awaited(0), away([250, 255]), 669, null],
    ["is missed after that, at a time that others find too", awaited(0), away([250, 255]), 670, 660],
    ["gets one more interval for all breaks together", awaited(0), away([250, 255], [550, 555]), 679, null],
    ["is missed though it was broken again", awaited(0), away([250, 255], [550, 555]), 680, 660],
    ["gets its length and the grace for a long break", awaited(0), away([300, 9_000]), 9_419, null],
    ["is missed after a long break", awaited(0), away([300, 9_000]), 9_420, 9_360],
    ["gains nothing from a break after it was late", awaited(0), away([361, 900]), 900, 660],
    [
      "gets one more interval also where it was missed before",
      awaited(360 * S, "missed"),
      away([650, 655]),
      969,
      null,
    ],
    ["gets an interval and the grace after a run that nothing disturbed", awaited(0), OFTEN, 1_319, null],
    ["is missed after those, however many breaks there were", awaited(0), OFTEN, 1_320, 1_260],
    ["may come at any time once it was resumed", awaited(0, "resumed"), away([20, 30]), 679, null],
    ["is missed an interval later then", awaited(0, "resumed"), away([20, 30]), 680, 660],
  ] as const)("%s", (_what, monitor, breaks, now, missed) => {
    expect(missedAt(monitor, breaks, now * S)).toBe(missed === null ? null : missed * S);
  });

  test("is one of the same times for all callers, whenever no signal could arrive", () => {
    const whole = fc.integer({ min: 1, max: 100_000 });
    const last = fc.constantFrom("received" as const, "missed" as const, "resumed" as const);
    fc.assert(
      fc.property(
        ...([whole, whole, whole, last, whole, whole, whole] as const),
        (intervalMs, graceMs, lastAt, what, from, lasted, waited) => {
          const monitor = { lastAt, last: what, times: everyInterval(intervalMs), graceMs };
          const now = lastAt + waited;
          const at = missedAt(monitor, [{ from, to: from + lasted }], now);
          if (at === null) return;
          expect(at).toBeGreaterThan(lastAt);
          expect(at).toBeLessThanOrEqual(now);
          expect(at).toBeGreaterThan(now - intervalMs);
          expect(missedAt(monitor, always, now)).toBe(at);
        },
      ),
    );
  });
});

const at = (text: string) => Date.parse(`${text}:00Z`);

describe("a job that runs by a cron expression, at 03:00 on working days, with an hour of grace", () => {
  const times = cronTimes("0 3 * * 1-5", "UTC");
  if (!times) throw new Error("no such expression");
  // 20 November 2026 is a Friday.
  const job = (lastAt: string, last: Awaited["last"] = "received"): Awaited => ({
    ...{ lastAt: at(lastAt), last, times, graceMs: HOUR },
  });
  const lost = (from: string, to: string): Break[] => [{ from: at(from), to: at(to) }];
  test.each([
    ["is not missed before its grace is over", job("2026-11-19T03:10"), always, "2026-11-20T03:59", null],
    ["is missed when it is", job("2026-11-19T03:10"), always, "2026-11-20T04:00", "2026-11-20T04:00"],
    ["is not missed over the weekend", job("2026-11-20T03:10"), always, "2026-11-23T03:59", null],
    ["is missed after it", job("2026-11-20T03:10"), always, "2026-11-23T04:00", "2026-11-23T04:00"],
    ["may be reported late", job("2026-11-20T03:59"), always, "2026-11-23T03:59", null],
    [
      "is missed once for each run",
      job("2026-11-20T04:00", "missed"),
      always,
      "2026-11-25T05:00",
      "2026-11-25T04:00",
    ],
    ["is not missed twice for one", job("2026-11-20T04:00", "missed"), always, "2026-11-23T03:59", null],
    ["is waited for once resumed", job("2026-11-21T12:00", "resumed"), always, "2026-11-23T03:59", null],
    [
      "is missed like any other then",
      job("2026-11-21T12:00", "resumed"),
      always,
      "2026-11-23T04:00",
      "2026-11-23T04:00",
    ],
    [
      "is forgiven the run of an hour in which the server was away",
      job("2026-11-19T03:10"),
      lost("2026-11-20T02:45", "2026-11-20T03:45"),
      "2026-11-23T03:59",
      null,
    ],
    [
      "is missed when the next does not come either",
      job("2026-11-19T03:10"),
      lost("2026-11-20T02:45", "2026-11-20T03:45"),
      "2026-11-23T06:00",
      "2026-11-23T04:00",
    ],
    [
      "gains nothing by an hour in which no signal of it could arrive",
      job("2026-11-19T03:10"),
      lost("2026-11-19T20:00", "2026-11-19T21:00"),
      "2026-11-20T04:00",
      "2026-11-20T04:00",
    ],
  ] as const)("%s", (_what, awaited, breaks, now, missed) => {
    expect(missedAt(awaited, breaks, at(now))).toBe(missed === null ? null : at(missed));
  });
});

/** Each day at the same time. */
const nightly = (at: number, lasts: number): Break[] =>
  Array.from({ length: 60 }, (_, day) => ({ from: day * DAY + at, to: day * DAY + at + lasts }));
const until = (breaks: Break[], now: number) => breaks.filter(({ to }) => to <= now);

describe("a server that is restarted every night", () => {
  test.each([1, 24, 48])("finds a dead daily job within two intervals, with a grace of %i hours", (hours) => {
    const graceMs = hours * HOUR;
    const monitor: Awaited = { lastAt: 0, last: "received", times: everyInterval(DAY), graceMs };
    const time = fc.integer({ min: 0, max: DAY - 1 });
    fc.assert(
      fc.property(time, fc.integer({ min: 5 * S, max: 120 * S }), (at, lasts) => {
        const breaks = nightly(at, lasts);
        const now = 2 * DAY + graceMs + 2 * lasts * (2 + (2 * graceMs) / DAY);
        expect(missedAt(monitor, until(breaks, now), now)).not.toBeNull();
      }),
    );
  });

  test("never takes a job for late whose signal could arrive at least every other time", () => {
    const span = fc.record({
      after: fc.integer({ min: 0, max: 3 * HOUR }),
      lasts: fc.integer({ min: 0, max: 3 * HOUR }),
    });
    const run = { times: everyInterval(HOUR), graceMs: 600 * S };
    const lateness = fc.array(fc.integer({ min: 0, max: 600 * S - 1 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), lateness, (spans, late) => {
        const breaks = inTurn(spans);
        const isListening = (at: number) => !breaks.some(({ from, to }) => from <= at && at <= to);
        let lastAt = 0;
        let swallowedBy = new Set<Break>();
        for (const [index, lateMs] of late.entries()) {
          const at = (index + 1) * HOUR + lateMs;
          if (!isListening(at)) {
            for (const each of breaks) if (each.from <= at && at <= each.to) swallowedBy.add(each);
            continue;
          }
          // What two breaks in turn took from it cannot be distinguished from a job that is dead.
          if (swallowedBy.size < 2)
            expect(missedAt({ ...run, lastAt, last: "received" }, until(breaks, at), at - 1)).toBeNull();
          [lastAt, swallowedBy] = [at, new Set()];
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function inTurn(spans: { after: number; lasts: number }[]): Break[] {
  let at = 0;
  return spans.map(({ after, lasts }) => {
    const from = at + after;
    at = from + lasts;
    return { from, to: at };
  });
}
