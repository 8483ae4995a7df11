import { expect, it } from "vitest";
import { bucketStart, RANGES, resolveRange } from "../../src/result/range.ts";

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
