import fc from "fast-check";
import { expect, it } from "vitest";
import { NO_PHASES, type Phases } from "../../../src/checks/check.ts";
import {
  nearestRank,
  rankAfter,
  rankOfUs,
  roundPhases,
  roundUs,
  usAfter,
  usOfRank,
} from "../../../src/engine/results/precision.ts";

const anyUs = fc.oneof(fc.nat(2_000), fc.nat(2_000_000_000 - 1), fc.maxSafeNat());

it("a duration is stored to 0.2 %, exactly below half a millisecond, and rounding it again changes nothing", () => {
  fc.assert(
    fc.property(anyUs, (us) => {
      const rounded = roundUs(us);
      expect(Math.abs(rounded - us)).toBeLessThanOrEqual(us < 512 ? 0 : us / 512);
      expect(roundUs(rounded)).toBe(rounded);
    }),
    { numRuns: 2_000 },
  );
});

it("the steps are round numbers: 1, 2 or 5 and zeros", () => {
  const rounded = [511, 513, 1_283, 20_026, 87_432, 1_234_567, 10_000_001].map(roundUs);
  expect(rounded).toEqual([511, 514, 1_285, 20_050, 87_400, 1_234_000, 10_000_000]);
  expect([1_000, 15_000, 20_000, 250_000, 60_000_000].map(roundUs)).toEqual([
    1_000, 15_000, 20_000, 250_000, 60_000_000,
  ]);
});

it("ranks count the durations of this precision without a gap, and those alone have one", () => {
  for (let rank = 0; rank < 5_000; rank += 7) {
    const us = usOfRank(rank) as number;
    expect(rankOfUs(us)).toBe(rank);
    expect(nearestRank(us)).toBe(rank);
    expect(roundUs(us)).toBe(us);
    for (let between = us + 1; between < (usOfRank(rank + 1) as number); between += 997) {
      expect(rankOfUs(between)).toBe(-1);
    }
  }
  expect([rankOfUs(-1), rankOfUs(2 ** 40), usOfRank(-1), usOfRank(1e6)]).toEqual([
    -1,
    -1,
    undefined,
    undefined,
  ]);
});

it("phases that did not happen stay so", () => {
  const phases = { ...NO_PHASES, connectUs: 20_026, totalUs: 0 };
  expect(roundPhases(phases)).toEqual({ ...NO_PHASES, connectUs: 20_050, totalUs: 0 });
  const { transferUs: _, ...ofAnOlderProbe } = phases;
  expect(roundPhases(ofAnOlderProbe as Phases).transferUs).toBeNull();
});

it("a transfer is stored to 0.4 % of the time until its end, and rounding it again changes nothing", () => {
  fc.assert(
    fc.property(anyUs, anyUs, (firstByteUs, transferUs) => {
      const rounded = roundPhases({ ...NO_PHASES, firstByteUs, transferUs });
      const endUs = firstByteUs + transferUs;
      const error = Math.abs((rounded.transferUs as number) - transferUs);
      expect(error).toBeLessThanOrEqual(endUs < 500 ? 0 : endUs / 256);
      expect(roundPhases(rounded)).toEqual(rounded);
      const distance = rankAfter(rounded.firstByteUs as number, rounded.transferUs as number);
      if (endUs < 2e9 - 1e7)
        expect(usAfter(rounded.firstByteUs as number, distance)).toBe(rounded.transferUs);
    }),
    { numRuns: 2000 },
  );
});
