import fc from "fast-check";
import { expect, it } from "vitest";
import { timestamp } from "../../../src/platform/operations/field.ts";

it("writes any time as Date does", () => {
  const times = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: 0, max: 4e12 }),
    fc.double(),
  );
  const ofDate = (ms: number) => new Date(ms).toISOString();
  const outcome = (write: (ms: number) => string, ms: number) => {
    try {
      return write(ms);
    } catch (error) {
      return (error as Error).constructor;
    }
  };
  fc.assert(
    fc.property(fc.array(times), (list) => {
      expect(list.map((ms) => outcome(timestamp, ms))).toEqual(list.map((ms) => outcome(ofDate, ms)));
    }),
    { numRuns: 300 },
  );
});
