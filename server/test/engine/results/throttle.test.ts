import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createThrottle, nextLimit } from "../../../src/engine/results/throttle.ts";

describe("the rate of background work", () => {
  it("converges where a slice takes about 8 ms, however fast the machine", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0045, max: 0.35, noNaN: true }), (msARow) => {
        let limit = 200;
        for (let slice = 0; slice < 20; slice += 1) limit = nextLimit(limit, limit * msARow);
        const took = limit * msARow;
        expect(took).toBeGreaterThan(7);
        expect(took).toBeLessThan(9);
      }),
    );
  });

  it("never requests less than 20 rows or more than 2,000, and at most doubles or halves", () => {
    expect(nextLimit(20, 1_000)).toBe(20);
    expect(nextLimit(2_000, 0)).toBe(2_000);
    expect(nextLimit(900, 0)).toBe(1_800);
    expect(nextLimit(1_000, 10_000)).toBe(500);
  });

  it("drains until a slice comes back short, and counts", async () => {
    const throttle = createThrottle();
    let left = 1_234;
    const removed = await throttle.drain(async (limit) => {
      const count = Math.min(limit, left);
      left -= count;
      return count;
    });
    expect([removed, left, throttle.aborted]).toEqual([1_234, 0, false]);
    expect(throttle.slices).toBeGreaterThan(2);
  });

  it("stops after the slice it is at on request", async () => {
    const stopping = new AbortController();
    const throttle = createThrottle(stopping.signal);
    let slices = 0;
    await throttle.drain(async (limit) => {
      slices += 1;
      if (slices === 3) stopping.abort();
      return limit;
    });
    expect([slices, throttle.aborted]).toEqual([3, true]);
  });
});
