import fc from "fast-check";
import { Type } from "typebox";
import { expect, it } from "vitest";
import type { ResponseTimeTrends } from "../../src/monitor/response-time-trends.ts";
import { projectTrends, Trend } from "../../src/wire/domain-figures.ts";
import { writeTrends } from "../../src/wire/trend-json.ts";
import { snakeName, toSnake } from "../../src/wire/v2/snake-case.ts";
import { anyText } from "../harness/any-text.ts";

const us = fc.oneof(fc.double({ min: 0, max: 6e8, noNaN: true }), fc.integer({ min: 0, max: 6e8 }));
const usOrNull = fc.option(us);
const someTrend = (buckets: number) =>
  fc.record({
    id: fc.nat(),
    uuid: fc.uuid(),
    name: fc.oneof(anyText(), fc.constantFrom('"\\', "漢字 🛰\u2028", "half \ud83d of a pair")),
    averageUs: usOrNull,
    minUs: usOrNull,
    maxUs: usOrNull,
    averagesUs: fc
      .array(fc.option(us, { nil: Number.NaN }), { minLength: buckets, maxLength: buckets })
      .map((averages) => Float64Array.from(averages)),
  });
const someTrends: fc.Arbitrary<ResponseTimeTrends> = fc
  .array(fc.integer({ min: 0, max: 4e12 }), { maxLength: 20 })
  .chain((bucketsAt) =>
    fc.record({
      bucketsAt: fc.constant(bucketsAt),
      trends: fc.array(someTrend(bucketsAt.length), { maxLength: 5 }),
    }),
  );

it("writes any trends to the letter as their schema does, in both families", () => {
  fc.assert(
    fc.property(someTrends, (trends) => {
      const plain = projectTrends(trends);
      const around = { first: "«", last: "»" };
      expect(writeTrends(trends, (word) => word, around).toString()).toBe(`«${JSON.stringify(plain)}»`);
      const snake = toSnake(Type.Array(Trend), plain);
      expect(writeTrends(trends, snakeName, around).toString()).toBe(`«${JSON.stringify(snake)}»`);
    }),
    { numRuns: 200 },
  );
});
