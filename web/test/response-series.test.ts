import { describe, expect, test } from "vitest";
import type { CheckResult, PhasesPoint } from "../src/api/monitor.ts";
import { phasesOf } from "../src/kinds/phases-of.ts";
import { toResponseSeries } from "../src/pages/monitor/detail/response-series.ts";

const start = Date.UTC(2026, 10, 21, 10);
const minuteMs = 60_000;
const lengths = { intervalMs: minuteMs, periodMs: 5 * minuteMs };
const at = (minutes: number) => start + minutes * minuteMs;
const iso = (minutes: number) => new Date(at(minutes)).toISOString();

function check(minutes: number, change: Partial<CheckResult> = {}): CheckResult {
  return {
    id: minutes,
    domainId: 1,
    status: "up",
    state: "up",
    responseTime: 100,
    statusCode: 200,
    timestamp: iso(minutes),
    location: "local",
    reason: null,
    reasonCode: null,
    reasonFact: null,
    message: null,
    messageFact: null,
    phases: { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: 9, total: 100 },
    ...change,
  };
}

/** As the API sends them: newest first. */
const ofChecks = (...checks: CheckResult[]) =>
  toResponseSeries({ checks: checks.toReversed() }, phasesOf("http"), lengths);

describe("the response times of an hour", () => {
  test("are split into phases, without those that never happen; where no transfer was measured it is the rest", () => {
    const unmeasured = { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: null, total: 100 };
    const { times, series } = ofChecks(check(0), check(1, { phases: unmeasured }));
    expect(times).toEqual([at(0), at(1)]);
    expect(series).toEqual([
      { kind: "dns", values: [1, 1] },
      { kind: "connect", values: [9, 9] },
      { kind: "firstByte", values: [80, 80] },
      { kind: "transfer", values: [9, 10] },
    ]);
  });

  test("of a kind that measures no transfer call nothing else one, nor a rest that follows no answer", () => {
    const unmeasured = { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: null, total: 100 };
    const read = { checks: [check(0, { phases: unmeasured })] };
    expect(toResponseSeries(read, ["connect", "firstByte"], lengths).series).toEqual([
      { kind: "connect", values: [9] },
      { kind: "firstByte", values: [80] },
    ]);
    const { series } = ofChecks(check(0, { phases: { ...unmeasured, firstByte: null } }));
    expect(series.map(({ kind }) => kind)).toEqual(["dns", "connect"]);
  });

  test("of several locations within an interval are one point, their mean", () => {
    const slow = { dns: 3, connect: 9, tls: null, firstByte: 80, transfer: 8, total: 100 };
    const { times, series } = ofChecks(check(0), check(0.5, { location: "tokyo", phases: slow }));
    expect(times).toEqual([at(0)]);
    expect(series[0]).toEqual({ kind: "dns", values: [2] });
  });

  test("leave failed checks out, tell when they were, and break the line where checks are missing", () => {
    const refused = {
      state: "down",
      phases: { dns: 1, connect: null, tls: null, firstByte: null, transfer: null, total: 2 },
    } as const;
    const { times, series, failures } = ofChecks(
      check(0),
      check(1),
      check(2, refused),
      check(3, refused),
      check(4),
    );
    expect(failures).toEqual([at(2), at(3)]);
    expect(times).toEqual([at(0), at(1), at(2), at(4)]);
    expect(series[0]?.values).toEqual([1, 1, null, 1]);
  });

  test("go on over one missing check", () => {
    expect(ofChecks(check(0), check(2)).times).toEqual([at(0), at(2)]);
  });
});

describe("the response times of longer ranges", () => {
  const point = (minutes: number, phases: object, failedChecks = 0): PhasesPoint => ({
    timestamp: iso(minutes),
    totalChecks: 5,
    failedChecks,
    phases: { dns: null, connect: null, tls: null, firstByte: null, transfer: null, total: null, ...phases },
  });
  const ofPoints = (...points: PhasesPoint[]) => toResponseSeries({ points }, phasesOf("http"), lengths);
  const usual = { dns: 2, connect: 10, firstByte: 60, total: 80 };

  test("are split into phases too, break where nothing was checked, and count what failed", () => {
    expect(ofPoints(point(0, usual), point(5, {}, 5), point(10, usual, 1), point(40, usual))).toEqual({
      times: [at(0), at(10), at(15), at(40)],
      series: [
        { kind: "dns", values: [2, 2, null, 2] },
        { kind: "connect", values: [10, 10, null, 10] },
        { kind: "firstByte", values: [60, 60, null, 60] },
        { kind: "transfer", values: [8, 8, null, 8] },
      ],
      failures: [at(5), at(10)],
      failedChecks: 6,
    });
  });

  test("are the whole alone where its parts are no longer known", () => {
    const { series } = ofPoints(point(0, { total: 90 }), point(5, usual));
    expect(series.map(({ kind }) => kind)).toEqual(["dns", "connect", "firstByte", "transfer", "mean"]);
    expect(series.at(-1)?.values).toEqual([90, null]);
    expect(series[0]?.values).toEqual([null, 2]);
    expect(ofPoints(point(0, { total: 90 })).series).toEqual([{ kind: "mean", values: [90] }]);
  });
});
