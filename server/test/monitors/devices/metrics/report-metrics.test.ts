import fc from "fast-check";
import { expect, it } from "vitest";
import {
  asStored,
  packReport,
  type ReportMetrics,
  reportReader,
} from "../../../../src/monitors/devices/metrics/report-metrics.ts";

const anyMetrics = fc.dictionary(
  fc.string({ minLength: 1, unit: "grapheme" }).map((text) => `disk.${text}.used`),
  fc.oneof(
    fc.double({ min: -1e18, max: 1e18, noNaN: true }),
    fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
  ),
);

const read = (bytes: Uint8Array, reader = reportReader()) => {
  const { names, values } = reader(bytes);
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
};

const stored = (metrics: ReportMetrics) =>
  Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, asStored(value)]));

it("come back as they were, to two decimals or the whole of what is large", () => {
  fc.assert(
    fc.property(fc.array(anyMetrics, { minLength: 1, maxLength: 4 }), (reports) => {
      const reader = reportReader();
      for (const metrics of reports) expect(read(packReport(metrics), reader)).toEqual(stored(metrics));
    }),
  );
});

it.each([
  [0.004, 0],
  [99.999, 100],
  [-2.345_67, -2.35],
  [17_179_869_184, 17_179_869_184],
  [99_999.994, 99_999.99],
  [123_456.78, 123_457],
  [120e12 + 1, 120e12 + 1],
  [1e18, 1e18],
  [9e15 + 1, 9e15],
])("store %d as %d", (value, expected) => expect(asStored(value)).toBe(expected));

it("of 60 names take some bytes each once the names are packed", () => {
  const metrics = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`cpu.core${i}.usage`, (i * 37) % 100]),
  );
  expect(packReport(metrics).length).toBeLessThan(60 * 6);
});

it("that were cut or changed are refused", () => {
  const bytes = packReport({ "cpu.usage": 12.5, "memory.used": 8e9 });
  expect(() => read(bytes.subarray(0, -1))).toThrow(RangeError);
  expect(() => read(Uint8Array.from([9, ...bytes.subarray(1)]))).toThrow("format 9");
  const changed = Uint8Array.from(bytes);
  changed[6] = 255;
  expect(() => read(changed)).toThrow(RangeError);
});
