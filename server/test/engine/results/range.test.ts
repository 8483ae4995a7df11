import { expect, it } from "vitest";
import { bucketStart, RANGES, resolveRange } from "../../../src/engine/results/precision.ts";

const NOW = Date.UTC(2026, 10, 21, 9, 47, 31, 250);

it.each([
  ["1h", Date.UTC(2026, 10, 21, 8, 45), 300],
  ["24h", Date.UTC(2026, 10, 20, 9, 45), 300],
  ["7d", Date.UTC(2026, 10, 14, 9, 0), 3600],
  ["30d", Date.UTC(2026, 9, 22, 9, 0), 3600],
] as const)("the range %s begins with the bucket it begins in", (range, fromMs, periodSeconds) => {
  expect(resolveRange(range, NOW)).toEqual({ fromMs, toMs: NOW, periodSeconds });
});

it("no range has more than 721 buckets", () => {
  for (const range of RANGES) {
    const { fromMs, toMs, periodSeconds } = resolveRange(range, NOW);
    expect((toMs - fromMs) / (periodSeconds * 1000)).toBeLessThan(722);
  }
});

it("days begin at midnight UTC", () => {
  expect(bucketStart(NOW, 86_400)).toBe(Date.UTC(2026, 10, 21));
});

it("many monitors get longer buckets, so that all their points together stay below 32,000", () => {
  const periods = (monitors: number) =>
    RANGES.map((range) => resolveRange(range, NOW, monitors).periodSeconds);
  expect(periods(40)).toEqual([300, 300, 3600, 3600]);
  expect(periods(1_000)).toEqual([300, 3600, 86_400, 86_400]);
  for (const range of RANGES) {
    const { fromMs, toMs, periodSeconds } = resolveRange(range, NOW, 1_000);
    expect(1_000 * Math.ceil((toMs - fromMs) / (periodSeconds * 1000))).toBeLessThanOrEqual(32_000);
  }
  expect(resolveRange("30d", NOW, 1_000).fromMs).toBe(Date.UTC(2026, 9, 22));
});
