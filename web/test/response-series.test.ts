import { describe, expect, test } from "vitest";
import type { CheckResult } from "../src/api/domain.ts";
import { toResponseSeries } from "../src/pages/domain/response-series.ts";

const start = Date.UTC(2026, 10, 21, 10);
const minuteMs = 60_000;
const at = (minutes: number) => start + minutes * minuteMs;
const iso = (minutes: number) => new Date(at(minutes)).toISOString();

function check(minutes: number, change: Partial<CheckResult> = {}): CheckResult {
  return {
    ...{ id: minutes, domainId: 1, status: "up", state: "up", responseTime: 100, statusCode: 200 },
    ...{ timestamp: iso(minutes), location: "local", reason: null, reasonCode: null },
    phases: { dns: 1, connect: 9, tls: null, firstByte: 80, total: 100 },
    ...change,
  };
}

/** As the API sends them: newest first. */
const ofChecks = (...checks: CheckResult[]) =>
  toResponseSeries({ checks: checks.toReversed() }, minuteMs, 5 * minuteMs);

describe("the response times of an hour", () => {
  test("are split into phases that add up to the whole, without those that never happen", () => {
    const { times, series } = ofChecks(check(0), check(1));
    expect(times).toEqual([at(0), at(1)]);
    expect(series).toEqual([
      { kind: "dns", values: [1, 1] },
      { kind: "connect", values: [9, 9] },
      { kind: "firstByte", values: [80, 80] },
      { kind: "transfer", values: [10, 10] },
    ]);
  });

  test("of several locations within an interval are one point, their mean", () => {
    const slow = { dns: 3, connect: 9, tls: null, firstByte: 80, total: 100 };
    const { times, series } = ofChecks(check(0), check(0.5, { location: "tokyo", phases: slow }));
    expect(times).toEqual([at(0)]);
    expect(series[0]).toEqual({ kind: "dns", values: [2] });
  });

  test("leave failed checks out, tell when they were, and break the line where checks are missing", () => {
    const refused = {
      state: "down",
      phases: { dns: 1, connect: null, tls: null, firstByte: null, total: 2 },
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

test("longer ranges are one line that breaks where no check passed", () => {
  const point = (minutes: number, responseTime: number) => ({ timestamp: iso(minutes), responseTime });
  const trend = {
    ...{ domainId: 1, domainUuid: "", domainName: "Shop" },
    ...{ avgResponseTime: 90, minResponseTime: 80, maxResponseTime: 100 },
    dataPoints: [point(0, 80), point(5, 90), point(30, 100)],
  };
  expect(toResponseSeries({ trend }, minuteMs, 5 * minuteMs)).toEqual({
    times: [at(0), at(5), at(10), at(30)],
    series: [{ kind: "mean", values: [80, 90, null, 100] }],
    failures: [],
  });
});
