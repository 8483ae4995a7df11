import type { DocumentChart } from "./document.ts";

/** A filled rectangle of a chart, and a line through points; all within 0…1, from the upper left corner. */
export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
}
export interface Line {
  points: [x: number, y: number][];
  colour: string;
}

/** What is to be drawn of a chart, on whatever. */
export interface Drawing {
  bars: Bar[];
  lines: Line[];
}

/** Of the room of a point, what its bar takes. */
const BAR_SHARE = 0.8;

/** Where everything of a chart is. */
export function draw(chart: DocumentChart): Drawing {
  return chart.kind === "bars"
    ? { bars: barsOf(chart), lines: [] }
    : { bars: [], lines: chart.series.flatMap((series) => linesOf(chart, series)) };
}

const heightIn = ({ bottom, top }: DocumentChart, value: number): number =>
  Math.min(1, Math.max(0, (value - bottom) / (top - bottom)));

/** What is nothing has no bar; what is below the axis' beginning has one that can be seen. */
const LEAST_HEIGHT = 0.02;

function barsOf(chart: DocumentChart): Bar[] {
  const { series, bottom } = chart;
  const length = series[0]?.values.length ?? 0;
  const bars: Bar[] = [];
  for (let at = 0; at < length; at += 1) {
    let reached = 0;
    for (const { values, colour } of series) {
      const value = values[at] ?? null;
      if (value === null || (value === 0 && bottom === 0 && series.length > 1)) continue;
      const height = Math.max(LEAST_HEIGHT, heightIn(chart, value));
      const x = (at + (1 - BAR_SHARE) / 2) / length;
      bars.push({ x, width: BAR_SHARE / length, y: 1 - reached - height, height, colour });
      reached += height;
    }
  }
  return bars;
}

/** A line for each stretch without a hole; a single point is drawn as a short one. */
function linesOf(chart: DocumentChart, { values, colour }: DocumentChart["series"][number]): Line[] {
  const lines: Line[] = [];
  let points: Line["points"] = [];
  const finish = () => {
    if (points.length > 0) lines.push({ points: points.length === 1 ? widened(points) : points, colour });
    points = [];
  };
  for (const [at, value] of values.entries()) {
    if (value === null) finish();
    else points.push([(at + 0.5) / values.length, 1 - heightIn(chart, value)]);
  }
  finish();
  return lines;
}

const widened = (points: Line["points"]): Line["points"] =>
  points.flatMap(([x, y]) => [
    [x - 0.004, y],
    [x + 0.004, y],
  ]);
