/** One line of a chart, or one layer of a stack. */
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

/** What a chart shows. */
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
