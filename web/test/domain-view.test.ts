import { describe, expect, test } from "vitest";
import { countsOf, shortUrl, shownResponseTime, shownStatus } from "../src/monitors/monitor-view.ts";
import { makeDomain } from "./domain.ts";

describe("the status that is shown", () => {
  test("is the API's state", () => {
    expect(shownStatus(makeDomain({ state: "degraded" }))).toBe("degraded");
  });

  test("of a domain that was never checked is that it waits", () => {
    expect(shownStatus(makeDomain({ state: "unknown", lastCheck: null }))).toBe("waiting");
  });

  test("of a domain whose checks stopped is that nothing is known", () => {
    expect(shownStatus(makeDomain({ state: "unknown" }))).toBe("unknown");
  });

  test("of a domain that checks come of is not that nothing is known", () => {
    const lastCheck = new Date(Date.now() - 5_000).toISOString();
    expect(shownStatus(makeDomain({ state: "unknown", lastCheck }))).toBe("confirming");
  });

  test("of a paused domain is paused, whatever it was", () => {
    expect(shownStatus(makeDomain({ enabled: false, state: "down" }))).toBe("paused");
  });
});

describe("the response time that is shown", () => {
  const failed = { lastReason: "127.0.0.1:9 refused the connection.", responseTime: 0.6 };

  test("is that of the last check, also while it is paused", () => {
    expect(shownResponseTime(makeDomain())).toBe(87.4);
    expect(shownResponseTime(makeDomain({ enabled: false, state: "paused" }))).toBe(87.4);
  });

  test("is that of a slow answer too", () => {
    const slow = { lastReason: "The answer took 302 ms, more than the limit of 150 ms.", responseTime: 302 };
    expect(shownResponseTime(makeDomain({ state: "degraded", ...slow }))).toBe(302);
  });

  test.each(["down", "paused", "unknown", "up"] as const)(
    "is none when the last check failed, which took as long as it took: %s",
    (state) => {
      expect(shownResponseTime(makeDomain({ enabled: state !== "paused", state, ...failed }))).toBeNull();
    },
  );

  test("is none before the first check", () => {
    expect(
      shownResponseTime(makeDomain({ state: "unknown", lastCheck: null, responseTime: null })),
    ).toBeNull();
  });
});

test("the filters' counts are the API's, with degraded apart from up and paused apart from unknown", () => {
  const stats = { total: 12, up: 6, down: 1, unknown: 5, degraded: 2, paused: 3, maintenance: 4 };
  expect(countsOf({ ...stats, avgResponseTime: null, avgUptime: null })).toEqual({
    all: 12,
    down: 1,
    degraded: 2,
    unknown: 2,
    up: 4,
    paused: 3,
    maintenance: 4,
  });
});

test.each([
  ["https://example.com/", "example.com"],
  ["https://example.com/a/", "example.com/a/"],
  ["http://example.com/", "http://example.com"],
  ["https://example.com?x=1", "example.com?x=1"],
])("%s is shown as %s", (url, shown) => {
  expect(shortUrl(url)).toBe(shown);
});
