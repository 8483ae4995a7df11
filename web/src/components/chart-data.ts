/** One line of a chart, or one layer of a stack. */
export interface ChartSeries {
  label: string;
  /** A colour of tokens.css, e.g. `--color-series`. */
  colour: string;
  /** One for each time; null where there is none. */
  values: readonly (number | null)[];
}

/** What a chart shows. */
export interface ChartData {
  /** Milliseconds since 1970, ascending. */
  times: readonly number[];
  /** Stacked from the first at the bottom up, when there are several. */
  series: readonly ChartSeries[];
  /** Times at which something failed: marked on the axis. */
  failures: readonly number[];
  fromMs: number;
  toMs: number;
}
