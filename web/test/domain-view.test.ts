import { describe, expect, test } from "vitest";
import { countsOf, shortUrl, shownStatus } from "../src/pages/domains/domain-view.ts";
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

  test("of a paused domain is paused, whatever it was", () => {
    expect(shownStatus(makeDomain({ enabled: false, state: "down" }))).toBe("paused");
  });
});

test("the filters' counts are the API's, with degraded apart from up and paused apart from unknown", () => {
  const stats = { total: 12, up: 6, down: 1, unknown: 5, degraded: 2, paused: 3 };
  expect(countsOf({ ...stats, avgResponseTime: null, avgUptime: null })).toEqual({
    ...{ all: 12, down: 1, degraded: 2, unknown: 2, up: 4, paused: 3 },
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
