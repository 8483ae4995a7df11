import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { burnRate, errorBudget } from "../../../src/engine/status/objective.ts";
import { type StatusChange, uptimePercentage } from "../../../src/engine/status/uptime.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAYS_30 = 30 * DAY;
const THREE_NINES = { percent: 99.9, days: 30 };

const change = (at: number, status: StatusChange["status"], maintenance = false): StatusChange => ({
  ...{ at, status, maintenance },
});

/** Of 30 days that end at 30 days. */
const budget = (history: readonly StatusChange[]) => {
  const { allowedMs, usedMs, leftMs, leftPercent } = errorBudget(history, THREE_NINES, DAYS_30);
  return [allowedMs, usedMs, leftMs, leftPercent ?? -1].map((value) => Math.round(value));
};

describe("an error budget of 99.9 % in 30 days", () => {
  it.each([
    [
      "is 43 minutes 12 seconds of a monitor that was always up",
      [change(0, "up")],
      [2_592_000, 0, 2_592_000, 100],
    ],
    [
      "is less by what was down",
      [change(0, "up"), change(DAY, "down"), change(DAY + 10 * MINUTE, "up")],
      [2_592_000, 600_000, 1_992_000, 77],
    ],
    [
      "is overdrawn where more was down",
      [change(0, "up"), change(DAY, "down"), change(DAY + 60 * MINUTE, "up")],
      [2_592_000, 3_600_000, -1_008_000, -39],
    ],
    [
      "counts what is down until now",
      [change(0, "up"), change(DAYS_30 - 10 * MINUTE, "down")],
      [2_592_000, 600_000, 1_992_000, 77],
    ],
    [
      "neither allows nor uses anything in a maintenance window",
      [change(0, "up"), change(DAY, "down", true), change(16 * DAY, "up")],
      [1_296_000, 0, 1_296_000, 100],
    ],
    [
      "nor while it is unknown, as in a pause",
      [change(0, "up"), change(DAY, "unknown"), change(16 * DAY, "up")],
      [1_296_000, 0, 1_296_000, 100],
    ],
    [
      "is whole for a monitor that is watched since yesterday",
      [change(29 * DAY, "up"), change(29 * DAY + MINUTE, "down"), change(29 * DAY + 11 * MINUTE, "up")],
      [2_592_000, 600_000, 1_992_000, 77],
    ],
    ["is whole for one of which nothing is known yet", [], [2_592_000, 0, 2_592_000, 100]],
    ["is nothing where nothing counts", [change(0, "unknown")], [0, 0, 0, -1]],
    ["counts degraded as up", [change(0, "degraded")], [2_592_000, 0, 2_592_000, 100]],
  ] as const)("%s", (_sentence, history, expected) => {
    expect(budget(history)).toEqual(expected);
  });
});

const histories = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: DAYS_30 }),
      status: fc.constantFrom("unknown", "up", "degraded", "down"),
      maintenance: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((changes): StatusChange[] => [change(-1, "up"), ...changes.toSorted((a, b) => a.at - b.at)]);
const percents = fc.double({ min: 1, max: 99.999, noNaN: true });

describe("any error budget", () => {
  it("is what is used and what is left, and never more than its part of all the days", () => {
    fc.assert(
      fc.property(histories, percents, (history, percent) => {
        const { allowedMs, usedMs, leftMs } = errorBudget(history, { percent, days: 30 }, DAYS_30);
        expect(usedMs + leftMs).toBeCloseTo(allowedMs, 3);
        expect(usedMs).toBeGreaterThanOrEqual(0);
        expect(allowedMs).toBeLessThanOrEqual(DAYS_30 * (1 - percent / 100) + 1);
      }),
    );
  });

  it("is overdrawn exactly when the uptime misses the objective", () => {
    fc.assert(
      fc.property(histories, percents, (history, percent) => {
        const uptime = uptimePercentage(history, 0, DAYS_30);
        const { leftMs } = errorBudget(history, { percent, days: 30 }, DAYS_30);
        if (uptime === null || Math.abs(leftMs) < 1) return;
        expect(leftMs < 0).toBe(uptime < percent);
      }),
    );
  });

  it("is used up at the rate that the burn rate of all its days says", () => {
    fc.assert(
      fc.property(histories, percents, (history, percent) => {
        const objective = { percent, days: 30 };
        const rate = burnRate(history, objective, { now: DAYS_30, spanMs: DAYS_30 });
        const { usedMs } = errorBudget(history, objective, DAYS_30);
        expect(rate * DAYS_30 * (1 - percent / 100)).toBeCloseTo(usedMs, 0);
      }),
    );
  });
});
