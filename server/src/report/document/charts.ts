import type { ChartSeries, DocumentChart } from "./document.ts";
import type { Writing } from "./writing.ts";

/** Colours that are told apart on paper as well, in grey too. */
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

/** A chart of a report's points; without `top` its axis ends at a round number above all values. */
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

/** Where uptimes are drawn from, so that what is below 100 % can be seen: a round number below the least. */
export function uptimeFloor(uptimes: readonly (number | null)[]): number {
  const least = uptimes.reduce<number>((most, one) => Math.min(most, one ?? 100), 100);
  return [99.9, 99, 95, 90, 50].find((floor) => floor < least) ?? 0;
}
