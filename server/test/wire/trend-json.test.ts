import fc from "fast-check";
import { Type } from "typebox";
import { expect, it } from "vitest";
import type { ResponseTimeTrend } from "../../src/monitor/response-time-trends.ts";
import { projectTrend, Trend } from "../../src/wire/legacy/domain-figures.ts";
import { writeTrends } from "../../src/wire/trend-json.ts";
import { snakeName, toSnake } from "../../src/wire/v2/snake-case.ts";

const us = fc.oneof(fc.double({ min: 0, max: 6e8, noNaN: true }), fc.integer({ min: 0, max: 6e8 }));
const usOrNull = fc.option(us);
const someTrend: fc.Arbitrary<ResponseTimeTrend> = fc.record({
  id: fc.nat(),
  uuid: fc.uuid(),
  name: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"\\', "漢字 🛰\u2028", "half \ud83d of a pair"),
  ),
  averageUs: usOrNull,
  minUs: usOrNull,
  maxUs: usOrNull,
  points: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 4e12 }), us), { maxLength: 20 })
    .map((points) => ({ at: points.map(([at]) => at), averagesUs: points.map(([, average]) => average) })),
});

it("writes any trends to the letter as their schema does, in both families", () => {
  fc.assert(
    fc.property(fc.array(someTrend, { maxLength: 5 }), (trends) => {
      const plain = trends.map(projectTrend);
      expect(writeTrends(trends, (word) => word)).toBe(JSON.stringify(plain));
      const snake = toSnake(Type.Array(Trend), plain);
      expect(writeTrends(trends, snakeName)).toBe(JSON.stringify(snake));
    }),
    { numRuns: 200 },
  );
});
