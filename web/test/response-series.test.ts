import { describe, expect, test } from "vitest";
import type { CheckResult, PhasesPoint } from "../src/api/monitor.ts";
import { phasesOf } from "../src/monitors/descriptor.ts";
import { gapsOf, toResponseSeries } from "../src/monitors/detail/response-series.ts";
import { makeResult } from "./result.ts";

const start = Date.UTC(2026, 10, 21, 10);
const minuteMs = 60_000;
const lengths = { intervalMs: minuteMs, periodMs: 5 * minuteMs };
const at = (minutes: number) => start + minutes * minuteMs;
const iso = (minutes: number) => new Date(at(minutes)).toISOString();

const check = makeResult;

/** As the API sends them: newest first. */
const ofChecks = (...checks: CheckResult[]) =>
  toResponseSeries({ checks: checks.toReversed() }, phasesOf("http"), lengths);

describe("the response times of an hour", () => {
  test("are split into phases, without those that never happen; where no transfer was measured it is the rest", () => {
    const unmeasured = { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: null, total: 100 };
    const { times, layers, total } = ofChecks(check(0), check(1, { phases: unmeasured }));
    expect(times).toEqual([at(0), at(1)]);
    expect(total).toEqual([100, 100]);
    expect(layers).toEqual([
      { kind: "dns", values: [1, 1] },
      { kind: "connect", values: [9, 9] },
      { kind: "firstByte", values: [80, 80] },
      { kind: "transfer", values: [9, 10] },
    ]);
  });

  test("of a kind that measures no transfer call nothing else one, nor a rest that follows no answer", () => {
    const unmeasured = { dns: 1, connect: 9, tls: null, firstByte: 80, transfer: null, total: 100 };
    const read = { checks: [check(0, { phases: unmeasured })] };
    expect(toResponseSeries(read, ["connect", "firstByte"], lengths).layers).toEqual([
      { kind: "connect", values: [9] },
      { kind: "firstByte", values: [80] },
    ]);
    const { layers } = ofChecks(check(0, { phases: { ...unmeasured, firstByte: null } }));
    expect(layers.map(({ kind }) => kind)).toEqual(["dns", "connect"]);
  });

  test("of several locations within an interval are one point, their mean", () => {
    const slow = { dns: 3, connect: 9, tls: null, firstByte: 80, transfer: 8, total: 100 };
    const { times, layers } = ofChecks(check(0), check(0.5, { location: "tokyo", phases: slow }));
    expect(times).toEqual([at(0)]);
    expect(layers[0]).toEqual({ kind: "dns", values: [2] });
  });

  test("leave failed checks out, say when they were, and break the line where checks are missing", () => {
    const refused = {
      state: "down",
      phases: { dns: 1, connect: null, tls: null, firstByte: null, transfer: null, total: 2 },
    } as const;
    const { times, layers, total, failures, measured } = ofChecks(
      check(0),
      check(1),
      check(2, refused),
      check(3, refused),
      check(4),
    );
    expect(failures).toEqual([2, 3].map((minute) => ({ at: at(minute), count: 1 })));
    expect(times).toEqual([at(0), at(1), at(2), at(4)]);
    expect(layers[0]?.values).toEqual([1, 1, null, 1]);
    expect(total).toEqual([100, 100, null, 100]);
    expect(measured).toEqual([0, 1, 2, 3, 4].map(at));
  });

  test("say what 95 and 99 of a hundred of them stayed below, everywhere the same", () => {
    const took = (total: number) => ({ phases: { ...check(0).phases, total } });
    const checks = Array.from({ length: 100 }, (_, minute) => check(minute, took(minute + 1)));
    const { percentiles } = ofChecks(...checks);
    expect([percentiles?.p95[0], percentiles?.p99[50]]).toEqual([95, 99]);
    expect(ofChecks().percentiles).toBeNull();
  });

  test("leave out what a location without network says", () => {
    const { times, measured, failures } = ofChecks(check(0), check(1, { state: "unknown" }));
    expect([times, measured, failures]).toEqual([[at(0)], [at(0)], []]);
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
    p95: null,
    p99: null,
    phases: { dns: null, connect: null, tls: null, firstByte: null, transfer: null, total: null, ...phases },
  });
  const ofPoints = (...points: PhasesPoint[]) => toResponseSeries({ points }, phasesOf("http"), lengths);
  const usual = { dns: 2, connect: 10, firstByte: 60, total: 80 };

  test("are split into phases too, break where nothing was checked, and count what failed", () => {
    expect(ofPoints(point(0, usual), point(5, {}, 5), point(10, usual, 1), point(40, usual))).toEqual({
      times: [at(0), at(10), at(15), at(40)],
      layers: [
        { kind: "dns", values: [2, 2, null, 2] },
        { kind: "connect", values: [10, 10, null, 10] },
        { kind: "firstByte", values: [60, 60, null, 60] },
        { kind: "transfer", values: [8, 8, null, 8] },
      ],
      total: [80, 80, null, 80],
      percentiles: null,
      failures: [
        { at: at(5), count: 5 },
        { at: at(10), count: 1 },
      ],
      measured: [0, 5, 10, 40].map(at),
      stepMs: 5 * minuteMs,
    });
  });

  test("are the whole alone where its parts are no longer known", () => {
    const { layers, total } = ofPoints(point(0, { total: 90 }), point(5, usual));
    expect(total).toEqual([90, 80]);
    expect(layers[0]).toEqual({ kind: "dns", values: [null, 2] });
    expect(ofPoints(point(0, { total: 90 })).layers).toEqual([]);
  });

  test("of a monitor that is checked more seldom than the points are long are one line", () => {
    const hourly = { ...lengths, intervalMs: 60 * minuteMs };
    const read = { points: [point(0, usual), point(60, usual)] };
    expect(toResponseSeries(read, phasesOf("http"), hourly).times).toEqual([at(0), at(60)]);
  });
});

describe("no data", () => {
  const gaps = (minutes: readonly number[], fromMinute: number, toMinute: number) =>
    gapsOf(
      { measured: minutes.map(at), stepMs: minuteMs },
      { fromMs: at(fromMinute), toMs: at(toMinute) },
    ).map(({ fromMs, toMs }) => [(fromMs - start) / minuteMs, (toMs - start) / minuteMs]);

  test.each([
    ["is nowhere while checks come", [0, 1, 2, 3], 0, 4, []],
    ["is not where one check is missing", [0, 2, 3], 0, 4, []],
    ["is where several are missing", [0, 1, 7, 8], 0, 9, [[2, 7]]],
    [
      "is before the first check and after the last",
      [5, 6],
      0,
      12,
      [
        [0, 5],
        [7, 12],
      ],
    ],
    ["is everywhere without any check", [], 0, 9, [[0, 9]]],
    ["is looked for only where the chart is", [0, 20], 10, 22, [[10, 20]]],
  ])("%s", (_what, minutes, fromMinute, toMinute, expected) => {
    expect(gaps(minutes, fromMinute, toMinute)).toEqual(expected);
  });
});
