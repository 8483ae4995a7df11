import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compactHistogram,
  encodeHistogram,
  percentile,
  percentiles,
} from "../../../src/platform/database/histogram.ts";

const latencyUs = fc.oneof(
  fc.integer({ min: 1, max: 604_800_000_000 }),
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 20_000, max: 60_000 }),
);
const latencies = fc.array(latencyUs, { minLength: 1, maxLength: 300 });

function exactPercentile(values: number[], percentage: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percentage / 100) * sorted.length) - 1)] as number;
}

describe("the latency histogram", () => {
  it("gives every percentile to within 2.5 % of the exact one, from 1 us to a week", () => {
    fc.assert(
      fc.property(latencies, fc.double({ min: 0, max: 100, noNaN: true }), (values, percentage) => {
        const exact = exactPercentile(values, percentage);
        const estimate = percentile([encodeHistogram(values)], percentage) as number;
        // Half a microsecond is what rounding to a whole one may add.
        expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact * 0.025 + 0.5);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same percentiles however the checks were divided, joined and made compact", () => {
    fc.assert(
      fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (groups) => {
        const wanted = [0, 1, 50, 95, 99, 100];
        const whole = percentiles([encodeHistogram(groups.flat())], wanted);
        const parts = groups.map(encodeHistogram);
        expect(percentiles(parts, wanted)).toEqual(whole);
        expect(percentiles([Buffer.concat(parts)], wanted)).toEqual(whole);
        expect(percentiles([compactHistogram(parts)], wanted)).toEqual(whole);
        expect(compactHistogram([Buffer.concat(parts)])).toEqual(encodeHistogram(groups.flat()));
      }),
    );
  });

  it("stays small: a day of checks every 10 s between 20 and 60 ms takes less than 150 bytes", () => {
    const day = Array.from({ length: 8_640 }, (_, i) => 20_000 + ((i * 7_919) % 40_000));
    expect(encodeHistogram(day).length).toBeLessThan(150);
    expect(encodeHistogram([43_210]).length).toBeLessThanOrEqual(4);
  });

  it("counts what lies outside its range at the range's ends", () => {
    expect(percentile([encodeHistogram([0, -5])], 50)).toBe(1);
    const top = percentile([encodeHistogram([10 ** 12])], 50) as number;
    expect(Math.abs(top - 604_800_000_000)).toBeLessThanOrEqual(604_800_000_000 * 0.025);
  });

  it("has no percentile when nothing was measured", () => {
    expect(encodeHistogram([])).toEqual(new Uint8Array());
    expect(percentiles([], [50, 99])).toEqual([null, null]);
    expect(percentile([encodeHistogram([])], 50)).toBeNull();
  });

  it("says so when the bytes are cut", () => {
    const bytes = encodeHistogram([100, 20_000, 3_000_000]);
    expect(() => percentile([bytes.subarray(0, bytes.length - 1)], 50)).toThrow(RangeError);
  });
});
