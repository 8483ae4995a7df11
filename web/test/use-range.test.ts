import { expect, test } from "vitest";
import {
  chartSpan,
  rangeThatHolds,
  readZoom,
  usualRange,
  writeZoom,
} from "../src/monitors/detail/use-range.ts";

const hourMs = 3_600_000;
const now = Date.UTC(2026, 10, 21, 10);
const ago = (hours: number) => now - hours * hourMs;

test.each([
  ["an hour old", 1, "1h"],
  ["a day old", 24, "24h"],
])("a monitor that is %s opens on %s", (_what, hours, range) => {
  expect(usualRange(new Date(ago(hours)).toISOString(), now)).toBe(range);
  expect(usualRange(undefined, now)).toBe("24h");
});

test("a zoom is in the address in seconds, and what is none is none", () => {
  const zoom = { fromMs: ago(2), toMs: ago(1) };
  expect(readZoom(writeZoom(zoom))).toEqual(zoom);
  for (const text of [
    undefined,
    "",
    "1-2",
    "1763766000",
    "1763767800-1763766000",
    "1763766000-1763767800x",
  ]) {
    expect(readZoom(text)).toBeNull();
  }
});

test.each([
  ["24h", 2, "24h"],
  ["24h", 30, "7d"],
  ["1h", 200, "30d"],
  ["7d", 2, "7d"],
  ["1h", 9_000, "30d"],
] as const)("a zoom on %s that began %d hours ago is shown on %s", (range, hours, shown) => {
  expect(rangeThatHolds(range, { fromMs: ago(hours), toMs: ago(hours - 1) }, now)).toBe(shown);
  expect(rangeThatHolds(range, null, now)).toBe(range);
});

test.each([
  ["of a monitor that is older is the range", "24h", 48, { fromMs: ago(24), toMs: now }],
  ["of a younger one begins with it", "24h", 3, { fromMs: ago(3), toMs: now }],
  ["of one just made is a minute, into which it grows", "1h", 0, { fromMs: now, toMs: now + 60_000 }],
] as const)("the chart %s", (_what, range, hours, span) => {
  expect(chartSpan(range, ago(hours), now)).toEqual(span);
});
