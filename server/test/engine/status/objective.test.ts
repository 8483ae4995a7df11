import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  type AlertState,
  BURN_RULES,
  type Burn,
  burningAt,
  nextAlert,
  spansOf,
} from "../../../src/engine/status/objective.ts";
import type { StatusChange } from "../../../src/engine/status/uptime.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OBJECTIVE = { percent: 99.9, days: 30 };

/** Up but for these ranges: when each began, and how long it was. */
const downFor = (...ranges: readonly (readonly [number, number])[]): StatusChange[] => [
  { at: -90 * DAY, status: "up", maintenance: false },
  ...ranges.flatMap(([at, lastedMs]): StatusChange[] => [
    { at, status: "down", maintenance: false },
    { at: at + lastedMs, status: "up", maintenance: false },
  ]),
];

describe("the rules", () => {
  test("are those of the workbook: 2, 5 and 10 % of the budget in an hour, six hours and three days", () => {
    const shares = BURN_RULES.map((rule) => {
      const { longMs, shortMs } = spansOf(rule, OBJECTIVE);
      return [
        rule.rate,
        longMs / HOUR,
        shortMs / MINUTE,
        Math.round((100 * rule.rate * longMs) / (30 * DAY)),
      ];
    });
    expect(shares).toEqual([
      [14.4, 1, 5, 2],
      [6, 6, 30, 5],
      [1, 72, 360, 10],
    ]);
  });

  test("mean the same part of the budget for an objective of other days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 90 }), (days) => {
        const [own, usual] = [{ days }, { days: 30 }].map((objective) =>
          BURN_RULES.map((rule) => spansOf(rule, objective).longMs / objective.days),
        );
        expect(own).toEqual(usual?.map((part) => expect.closeTo(part, 3)));
      }),
    );
  });
});

describe("a budget of 99.9 % in 30 days", () => {
  it.each([
    ["does not burn while nothing is down", [], 0, "over", "over"],
    // 52 s are 2 % of 43 min 12 s.
    ["burns fast once 52 seconds of an hour are gone", [[-52 * SECOND, 52 * SECOND]], 0, "begins", "over"],
    ["does not yet at 51", [[-51 * SECOND, 51 * SECOND]], 0, "goes on", "over"],
    ["goes on, once begun, for ten minutes", [[-10 * MINUTE, MINUTE]], -MINUTE, "goes on", "over"],
    ["and is over after them", [[-11 * MINUTE, MINUTE]], 0, "over", "over"],
    [
      "burns fast by six hours, too",
      [
        [-5 * HOUR, 2 * MINUTE],
        [-MINUTE, 25 * SECOND],
      ],
      0,
      "begins",
      "goes on",
    ],
    [
      "burns slowly by 10 % in three days",
      [
        [-2 * DAY, 4 * MINUTE],
        [-HOUR, 30 * SECOND],
      ],
      0,
      "over",
      "begins",
    ],
    ["not by what was before the last six hours alone", [[-2 * DAY, 10 * MINUTE]], 0, "over", "over"],
    ["goes on slowly for twelve hours", [[-12 * HOUR, 10 * MINUTE]], 0, "over", "goes on"],
  ] as const)("%s", (_sentence, ranges, now, fast, slow) => {
    expect(burningAt(downFor(...ranges), OBJECTIVE, now)).toEqual({ fast, slow });
  });

  test("does not burn in a maintenance window", () => {
    const history: StatusChange[] = [{ at: -HOUR, status: "down", maintenance: true }];
    expect(burningAt(history, OBJECTIVE, 0)).toEqual({ fast: "over", slow: "over" });
  });
});

describe("an alert", () => {
  const all = ["begins", "goes on", "over"] as const;
  it.each([
    [null, "over", "over", null, null],
    [null, "goes on", "goes on", null, null],
    [null, "begins", "over", "fast", "fast"],
    [null, "begins", "begins", "fast", "fast"],
    [null, "over", "begins", "slow", "slow"],
    ["fast", "goes on", "over", "fast", null],
    ["fast", "begins", "begins", "fast", null],
    ["fast", "over", "over", null, "over"],
    ["fast", "over", "begins", "quiet", "over"],
    ["quiet", "over", "goes on", "quiet", null],
    ["quiet", "over", "over", null, null],
    ["quiet", "goes on", "over", null, null],
    ["quiet", "begins", "begins", "fast", "fast"],
    ["slow", "over", "goes on", "slow", null],
    ["slow", "over", "over", null, "over"],
    ["slow", "goes on", "goes on", "slow", null],
    ["slow", "begins", "goes on", "fast after slow", "fast"],
    ["fast after slow", "goes on", "over", "fast after slow", null],
    ["fast after slow", "over", "goes on", "slow", null],
    ["fast after slow", "over", "over", null, "over"],
  ] as const)(
    "in state %s, with fast %s and slow %s, comes to %s and reports %s",
    (state, fast, slow, next, notified) => {
      expect(nextAlert(state, { fast, slow })).toEqual({ state: next, notified });
    },
  );

  test("announces an end once after each beginning, and no end of what was not announced", () => {
    const burn = fc.constantFrom<Burn>(...all);
    fc.assert(
      fc.property(fc.array(fc.record({ fast: burn, slow: burn }), { maxLength: 60 }), (steps) => {
        let state: AlertState | null = null;
        let open = new Set<string>();
        for (const step of steps) {
          const next: ReturnType<typeof nextAlert> = nextAlert(state, step);
          if (next.notified === "over") {
            expect(open.size).toBeGreaterThan(0);
            open = new Set();
          } else if (next.notified) open.add(next.notified);
          // What is open was reported; what is not has no state that says so.
          expect(open.size > 0).toBe(next.state !== null && next.state !== "quiet");
          ({ state } = next);
        }
      }),
    );
  });
});
