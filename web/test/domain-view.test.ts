import { describe, expect, test } from "vitest";
import {
  countByFilter,
  narrow,
  shortUrl,
  shownStatus,
  sortByUrgency,
} from "../src/pages/domains/domain-view.ts";
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

test("what needs a look stands first, then names as people sort them", () => {
  const domains = [
    makeDomain({ name: "Paused", enabled: false }),
    makeDomain({ name: "Node 10" }),
    makeDomain({ name: "node 9" }),
    makeDomain({ name: "New", state: "unknown", lastCheck: null }),
    makeDomain({ name: "Stopped", state: "unknown" }),
    makeDomain({ name: "Slow", state: "degraded" }),
    makeDomain({ name: "Broken", state: "down" }),
  ];
  expect(sortByUrgency(domains, "en").map(({ name }) => name)).toEqual([
    "Broken",
    "Slow",
    "Stopped",
    "New",
    "node 9",
    "Node 10",
    "Paused",
  ]);
});

test("every domain is counted under all and under one filter", () => {
  const domains = [
    makeDomain({ state: "down" }),
    makeDomain({ state: "unknown", lastCheck: null }),
    makeDomain({ enabled: false, state: "down" }),
    makeDomain(),
  ];
  expect(countByFilter(domains)).toEqual({ all: 4, down: 1, degraded: 0, unknown: 1, up: 1, paused: 1 });
});

describe("narrowing the list", () => {
  const shop = makeDomain({ name: "Shop", url: "https://shop.example/" });
  const api = makeDomain({ name: "Shop API", url: "https://api.example/", state: "down" });

  test("finds words in any order and case, in name and URL together", () => {
    expect(narrow([shop, api], "all", "EXAMPLE shop api.")).toEqual([api]);
  });

  test("keeps only what fits the filter as well", () => {
    expect(narrow([shop, api], "up", "shop")).toEqual([shop]);
  });

  test("keeps everything when nothing is asked for", () => {
    expect(narrow([shop, api], "all", "  ")).toEqual([shop, api]);
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
