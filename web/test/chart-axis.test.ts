import { expect, test } from "vitest";
import { topOf, valueLabels } from "../src/components/time-chart-drawing.ts";

const line = (...values: (number | null)[]) => ({ label: "Total", colour: "--color-series", values });

test.each([
  ["values", [], [line(null, 120)], ["0 ms", "100 ms"]],
  ["a layer alone", [line(3)], [], ["0 ms", "100 ms"]],
  ["a value of nought", [], [line(0)], ["0 ms", "100 ms"]],
  ["failures only, which have no time", [], [line(null, null)], ["", ""]],
  ["nothing at all", [], [line()], ["", ""]],
])("the axis of a chart with %s", (_what, layers, lines, labels) => {
  expect(valueLabels({ layers, lines }, [0, 100], (value) => `${value} ms`)).toEqual(labels);
});

test.each([
  [200, 220],
  [0, 1],
  [null, 1],
])("above %s ms the axis ends at %d", (highest, top) => {
  expect(topOf(highest)).toBeCloseTo(top);
});
