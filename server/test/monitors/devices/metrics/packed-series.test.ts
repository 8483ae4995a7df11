import fc from "fast-check";
import { expect, it } from "vitest";
import { packSeries, unpackSeries } from "../../../../src/monitors/devices/metrics/packed-series.ts";
import { asStored } from "../../../../src/monitors/devices/metrics/report-metrics.ts";

const giveWay = async () => {};
const small = fc.option(fc.double({ min: -100_000, max: 100_000, noNaN: true }).map(asStored));
/** Beyond a size a column has no hundredths, and beyond another no digits below the thousand. */
const large = fc.option(fc.integer({ min: -2_000_000_000_000_000, max: 2_000_000_000_000_000 }));

/** Times with gaps, and names that have as many columns as each other, some of whose metrics are not there. */
const anySeries = fc
  .record({
    gaps: fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 40 }),
    names: fc.uniqueArray(fc.string({ unit: "grapheme" }), { maxLength: 5 }),
    width: fc.constantFrom(1, 3),
  })
  .chain(({ gaps, names, width }) => {
    let at = 1.7e12;
    const times = gaps.map((gap) => (at += gap));
    const whole = { minLength: times.length, maxLength: times.length };
    const column = fc.oneof(fc.array(small, whole), fc.array(large, whole));
    const own = fc.array(column, { minLength: width, maxLength: width });
    const all = fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), own)));
    return all.map((entries) => ({ times, columns: new Map(entries) }));
  });

it("gives back what was packed, whatever is missing in it", async () => {
  await fc.assert(
    fc.asyncProperty(anySeries, async (series) => {
      expect(unpackSeries(await packSeries(series, giveWay))).toEqual(series);
    }),
  );
});

it("gives back the names alone that are wanted", async () => {
  await fc.assert(
    fc.asyncProperty(anySeries, async (series) => {
      const [first = ""] = series.columns.keys();
      const { times, columns } = unpackSeries(await packSeries(series, giveWay), (name) => name === first);
      expect(times).toEqual(series.times);
      expect([...columns]).toEqual([...series.columns].slice(0, 1));
    }),
  );
});

it("keeps what is immense in coarser steps, with the rest of its column", async () => {
  const values = [4.2e15 + 1, 0.25, null];
  const series = { times: [1, 2, 3], columns: new Map([["disk./.used", [values]]]) };
  const { columns } = unpackSeries(await packSeries(series, giveWay));
  expect(columns.get("disk./.used")).toEqual([[4.2e15, 0, null]]);
});

it("refuses bytes that have changed since, of which any was flipped", async () => {
  const series = { times: [1, 2], columns: new Map([["cpu.usage", [[1, 2]]]]) };
  const bytes = await packSeries(series, giveWay);
  for (const at of bytes.keys()) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    expect(() => unpackSeries(changed), `byte ${at}`).toThrow(RangeError);
  }
  expect(() => unpackSeries(bytes.subarray(0, 3))).toThrow("only 3 bytes");
});
