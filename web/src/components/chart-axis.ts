import type { ChartData } from "./chart-data.ts";

/** Whether there is anything to read off the upright axis. */
export const hasValues = ({ layers, lines }: Pick<ChartData, "layers" | "lines">): boolean =>
  [...layers, ...lines].some(({ values }) => values.some((value) => value !== null));

/** What stands at the upright axis: nothing where there are no values, because it would be invented. */
export const valueLabels = (
  data: Pick<ChartData, "layers" | "lines">,
  values: readonly number[],
  format: (value: number) => string,
): string[] => values.map((value) => (hasValues(data) ? format(value) : ""));

/** Where the upright axis ends: a tenth of air above the highest point, so that the line never touches the edge. */
export const topOf = (highest: number | null): number =>
  highest === null || highest <= 0 ? 1 : highest * 1.1;
