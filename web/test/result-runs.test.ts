import { describe, expect, test } from "vitest";
import { joinResults, responseSpan, resultRuns, shownTime } from "../src/monitors/detail/response-series.ts";
import { makeResult } from "./result.ts";

const failed = { state: "down", status: "down", reasonCode: "status", statusCode: 500 } as const;
const refused = { state: "down", reasonCode: "refused", statusCode: null } as const;
/** Lengths of the runs, newest first; the results are given oldest first. */
const lengths = (...results: ReturnType<typeof makeResult>[]) =>
  resultRuns(results.toReversed()).map(({ checks }) => checks.length);

describe("results in a row that came out alike", () => {
  test.each([
    ["three and more are one", [{}, {}, {}], [3]],
    ["two are not", [{}, {}], [1, 1]],
    ["another outcome ends them", [{}, {}, {}, failed, {}, {}, {}], [3, 1, 3]],
    ["another code does", [failed, failed, failed, { ...failed, statusCode: 502 }], [1, 3]],
    ["another kind of reason does", [failed, failed, failed, refused, refused, refused], [3, 3]],
    ["there may be none", [], []],
  ])("%s", (_what, changes, expected) => {
    expect(lengths(...changes.map((change, minute) => makeResult(minute, change)))).toEqual(expected);
  });

  test("keep their name while newer ones join", () => {
    const results = [4, 3, 2, 1].map((minute) => makeResult(minute));
    expect(resultRuns(results)[0]?.id).toBe(resultRuns(results.slice(1))[0]?.id);
  });
});

describe("the time of a result", () => {
  test("is shown of every answer, also of one that was not wanted, and of no other failure", () => {
    expect(shownTime(makeResult(0, { ...failed, responseTime: 42 }))).toBe(42);
    expect(shownTime(makeResult(0, { ...refused, responseTime: 2 }))).toBeNull();
  });

  test("of a run is from its fastest to its slowest", () => {
    const run = [90, 120, 100].map((responseTime, minute) => makeResult(minute, { responseTime }));
    expect(responseSpan(run)).toEqual({ fastest: 90, slowest: 120 });
    expect(responseSpan([makeResult(0, refused)])).toBeNull();
  });
});

describe("older results", () => {
  const results = [9, 8, 7, 6, 5, 4, 3].map((minute) => makeResult(minute));

  test("follow the newest without doubles", () => {
    expect(joinResults(results.slice(0, 4), results.slice(2))).toEqual(results);
    expect(joinResults(results, [])).toEqual(results);
  });

  test("are left out where checks between are missing", () => {
    expect(joinResults(results.slice(0, 2), results.slice(4))).toEqual(results.slice(0, 2));
    expect(joinResults([], results)).toEqual([]);
  });
});
