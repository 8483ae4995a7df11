import type { ChartSeries, DocumentChart, Writing } from "./document.ts";

/** Distinguishable on paper, in grey too. */
export const COLOURS = {
  accent: "#3f5fd0",
  warn: "#d07f07",
  down: "#cf3038",
  up: "#2f9e66",
  faint: "#9aa3b2",
} as const;

interface Drawn {
  title: string;
  kind: DocumentChart["kind"];
  points: readonly { timestamp: string }[];
  period: { to: string; stepSeconds: number };
  series: ChartSeries[];
  bottom?: number;
  top?: number;
  write(value: number): string;
}

/** Without `top` the axis ends at a round number above all values. */
export function chartOf(
  { title, kind, points, period, series, write, ...axis }: Drawn,
  writing: Writing,
): DocumentChart {
  const { bottom = 0, top = roundAbove(highest(kind, series)) } = axis;
  const first = points[0]?.timestamp ?? period.to;
  return {
    ...{ title, kind, series, bottom, top },
    ...{ bottomLabel: write(bottom), topLabel: write(top) },
    firstLabel: writing.tick(first, period.stepSeconds),
    lastLabel: writing.tick(period.to, period.stepSeconds),
  };
}

function highest(kind: DocumentChart["kind"], series: readonly ChartSeries[]): number {
  const { length } = series[0]?.values ?? [];
  let most = 0;
  for (let at = 0; at < length; at += 1) {
    const values = series.map((one) => one.values[at] ?? 0);
    const height = kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
    most = Math.max(most, height);
  }
  return most;
}

/** 1, 2 or 5 times a power of ten, at least the value; 1 for none. */
function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** A round number below the least, so that differences below 100 % can be seen. */
export function uptimeFloor(uptimes: readonly (number | null)[]): number {
  const least = uptimes.reduce<number>((most, one) => Math.min(most, one ?? 100), 100);
  return [99.9, 99, 95, 90, 50].find((floor) => floor < least) ?? 0;
}

/** Coordinates within 0…1, from the upper left corner. */
interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
}
interface Line {
  points: [x: number, y: number][];
  colour: string;
}

interface Drawing {
  bars: Bar[];
  lines: Line[];
}

/** Of a point's width. */
const BAR_SHARE = 0.8;

export function draw(chart: DocumentChart): Drawing {
  return chart.kind === "bars"
    ? { bars: barsOf(chart), lines: [] }
    : { bars: [], lines: chart.series.flatMap((series) => linesOf(chart, series)) };
}

const heightIn = ({ bottom, top }: DocumentChart, value: number): number =>
  Math.min(1, Math.max(0, (value - bottom) / (top - bottom)));

/** Zero has no bar; a value below the axis has a visible one. */
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

/** One per part without gaps; a single point is drawn as a short line. */
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
