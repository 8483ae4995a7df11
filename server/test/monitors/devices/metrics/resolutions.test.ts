import { expect, it } from "vitest";
import { chooseResolution, packBegin, RESOLUTIONS } from "../../../../src/engine/results/precision.ts";
import { rangeOf } from "../../../../src/monitors/devices/metrics/read-metrics.ts";
import { typeOf, unitOf } from "../../../../src/monitors/devices/metrics/usage.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 21, 12, 30);

it.each([
  ["the last hour", HOUR_MS, 0, "raw"],
  ["three hours", 3 * HOUR_MS, 0, "raw"],
  ["three hours of the day before yesterday", 3 * HOUR_MS, 2 * DAY_MS, "1m"],
  ["the last 24 hours", DAY_MS, 0, "1m"],
  ["24 hours of last month", DAY_MS, 31 * DAY_MS, "15m"],
  ["the last 7 days", 7 * DAY_MS, 0, "15m"],
  ["the last 30 days", 30 * DAY_MS, 0, "1h"],
  ["an hour of last year", HOUR_MS, 365 * DAY_MS, "1h"],
  ["three years", 1_095 * DAY_MS, 0, "1h"],
] as const)("%s are read in points that make a chart", (_, lengthMs, agoMs, expected) => {
  const to = NOW - agoMs;
  expect(chooseResolution({ from: to - lengthMs, to }, NOW)).toBe(expected);
});

it("begins packs with the hour, and those of coarse points with the day", () => {
  const begins = RESOLUTIONS.map((resolution) => packBegin(resolution, NOW));
  const [hour, day] = [NOW - HOUR_MS / 2, NOW - 12.5 * HOUR_MS];
  expect(begins).toEqual([hour, hour, day, day]);
});

it("takes the newest as they were reported where no time is requested", () => {
  expect(rangeOf({}, NOW)).toEqual({ from: NOW + 1 - 2 * DAY_MS, to: NOW + 1, resolution: "raw" });
  expect(rangeOf({ resolution: "15m" }, NOW)).toMatchObject({ from: NOW + 1 - 90 * DAY_MS });
});

it("takes the range, the times, or the day before an end", () => {
  expect(rangeOf({ range: "24h" }, NOW)).toEqual({ from: NOW + 1 - DAY_MS, to: NOW + 1, resolution: "1m" });
  expect(rangeOf({ from: NOW - HOUR_MS, to: NOW }, NOW)).toMatchObject({ resolution: "raw", to: NOW });
  expect(rangeOf({ to: NOW - DAY_MS }, NOW)).toMatchObject({ from: NOW - 2 * DAY_MS, resolution: "1m" });
  expect(rangeOf({ range: "30d", resolution: "1m" }, NOW)).toMatchObject({ resolution: "1m" });
});

it("refuses a range that ends before it begins", () => {
  expect(() => rangeOf({ from: NOW, to: NOW }, NOW)).toThrow("The given data was invalid.");
});

it.each([
  ["cpu.usage", "cpu", "percent"],
  ["cpu.core12.usage", "cpu", "percent"],
  ["cpu.load15", "cpu", "load"],
  ["cpu.temperature", "cpu", "celsius"],
  ["memory.swap.used", "memory", "bytes"],
  ["disk./var/lib.v2/data.usage", "disk", "percent"],
  ["disk./.inodes", "disk", "percent"],
  ["disk.sda.read", "disk", "bytes/s"],
  ["network.eth0.errors", "network", "errors/s"],
  ["network.eth0.drops", "network", "number"],
])("%s is of type %s in %s", (name, type, unit) => {
  expect(typeOf(name)).toBe(type);
  expect(unitOf(name)).toBe(unit);
});
