import { expect, test } from "vitest";
import { reportQuery } from "../src/api/reports.ts";
import { reportQueryOf, reportSearch } from "../src/reports/report-search.ts";
import { zoomIn } from "../src/reports/report-zoom.ts";

const dayMs = 86_400_000;

test("the zoom of a report's chart ends with the time that it is of", () => {
  const month = { fromMs: 0, toMs: 30 * dayMs };
  const zoomed = { zoom: { fromMs: 9 * dayMs, toMs: 10 * dayMs }, length: 30 * dayMs };
  expect(zoomIn(null, month)).toBeNull();
  expect(zoomIn(zoomed, month)).toBe(zoomed.zoom);
  expect(zoomIn(zoomed, { fromMs: 29 * dayMs, toMs: 30 * dayMs })).toBeNull();
  // It is read again while it is open, and other days may be as many.
  expect(zoomIn(zoomed, { fromMs: dayMs, toMs: 31 * dayMs })).toBe(zoomed.zoom);
  expect(zoomIn(zoomed, { fromMs: 10 * dayMs, toMs: 40 * dayMs })).toBeNull();
});

test("a report that ends now is read again, one of days is not", () => {
  expect(reportQuery("domains", { range: "24h" }).refetchInterval).toBe(300_000);
  expect(reportQuery("domains", { from: "2026-11-01T00:00:00Z" }).refetchInterval).toBe(false);
});

test("the address says whose report it is, by a uuid and nothing else", () => {
  const organization = "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11";
  expect(reportQueryOf(reportSearch({ organization }))).toEqual({ organization, range: "30d" });
  expect(reportQueryOf(reportSearch({ organization: "../x" }))).toEqual({ range: "30d" });
});
