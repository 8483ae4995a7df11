import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { expect, it } from "vitest";
import type { ResponseTimeTrends } from "../../src/monitors/monitor-stats.ts";
import {
  DomainTrend,
  projectDomainTrends,
  projectServiceTrends,
  ServiceTrend,
  writeTrends,
} from "../../src/monitors/schemas/history.ts";
import { snakeName, toSnake } from "../../src/platform/operations/snake-case.ts";
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

const kinds = [
  { kind: "domain", project: projectDomainTrends, schema: DomainTrend },
  { kind: "service", project: projectServiceTrends, schema: ServiceTrend },
] as const;

it.for(kinds)("writes any $kind's trends to the letter as their schema does, in both families", (each) => {
  const { kind, project, schema } = each;
  fc.assert(
    fc.property(someTrends, (trends) => {
      const plain = project(trends);
      const around = { first: "«", last: "»" };
      const written = (word: (name: string) => string) => writeTrends(kind, trends, word, around).toString();
      expect(written((word) => word)).toBe(`«${JSON.stringify(plain)}»`);
      const snake = toSnake(Type.Array(schema as TSchema), plain);
      expect(written(snakeName)).toBe(`«${JSON.stringify(snake)}»`);
    }),
    { numRuns: 200 },
  );
});
