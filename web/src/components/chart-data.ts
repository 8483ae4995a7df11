import { useState } from "react";

export interface ChartSeries {
  label: string;
  /** A colour of tokens.css, e.g. `--color-series`. */
  colour: string;
  /** One for each time; null where there is none. */
  values: readonly (number | null)[];
  /** A line that is not the main one. */
  dashed?: boolean;
}

/** A length of time, milliseconds since 1970. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

export interface ChartData extends TimeSpan {
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  /** Filled, from the first at the bottom up. */
  layers: readonly ChartSeries[];
  /** Over the layers; the first one is filled too where there are no layers. */
  lines: readonly ChartSeries[];
  /** Times at which something failed. */
  failures: readonly number[];
  /** When it was down: red. */
  outages: readonly TimeSpan[];
  /** When nothing was measured: hatched. */
  gaps: readonly TimeSpan[];
  /** Times at which the watching itself began again. */
  restarts: readonly number[];
  /** Times at which something was deployed. */
  deployments?: readonly number[];
  /** Where the upright axis ends; undefined: a little above the largest value. */
  top?: number;
}

/** What came of reading something, as a query of TanStack's has it. */
export interface Reading<Data> {
  data: Data | undefined;
  /** When the data came, milliseconds since 1970. */
  dataUpdatedAt: number;
  /** Of the last try; there may be data from before. */
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Several queries as one: nothing until all of them are there. Retrying requests what is missing or failed. */
export function together<Data extends object>(
  readings: {
    [Name in keyof Data]: Reading<Data[Name]>;
  },
): Reading<Data> {
  const entries = Object.entries<Reading<unknown>>(readings);
  const all = entries.map(([, reading]) => reading);
  const isMissing = ({ data }: Reading<unknown>) => data === undefined;
  const failed = all.filter(({ error }) => error !== null);
  return {
    data: all.some(isMissing)
      ? undefined
      : (Object.fromEntries(entries.map(([name, { data }]) => [name, data])) as Data),
    dataUpdatedAt: Math.min(...all.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: (failed.find(isMissing) ?? failed[0])?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const reading of all) if (isMissing(reading) || reading.error) void reading.refetch();
    },
  };
}

/** Whether any of these queries is on its way for the first time. What failed once is waited for no longer. */
export const isComing = (queries: readonly { isLoading: boolean; failureCount: number }[]): boolean =>
  queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);

/** The first data stays: what is typed into a form must not be lost to a live change, or to a later failure. */
export function useFirst<Data>(reading: Reading<Data>): Reading<Data> {
  const [first, setFirst] = useState(reading.data);
  if (first === undefined && reading.data !== undefined) setFirst(reading.data);
  return first === undefined ? reading : { ...reading, data: first, error: null };
}

/** Room for the line's own width. */
const edge = 1.5;

/**
 * As SVG points, from 0 to a little over the largest value (or `top`): a line for each run without a gap, a
 * short one for a single value.
 */
export function linePoints(
  values: readonly (number | null)[],
  { width, height }: { width: number; height: number },
  top = 0,
): string[] {
  const most = Math.max(top, ...values.map((value) => value ?? 0));
  if (most === 0 && values.every((value) => value === null)) return [];
  const stepX = (width - 2 * edge) / Math.max(1, values.length - 1);
  const y = (value: number) => height - edge - (most === 0 ? 0 : (value / most) * (height - 2 * edge));
  const lines: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)?.push(`${round(edge + at * stepX)},${round(y(value))}`);
  }
  return lines.flatMap((line) => {
    const [first] = line;
    if (first === undefined) return [];
    return [line.length > 1 ? line.join(" ") : `${first} ${first}`];
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
