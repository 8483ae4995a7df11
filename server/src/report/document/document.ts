import type { Language } from "../../texts/languages.ts";

/** A figure, and what it was in the time before. */
export interface DocumentFigure {
  label: string;
  value: string;
  before: string;
}

export interface ChartSeries {
  label: string;
  /** As CSS writes it. */
  colour: string;
  /** One a point; null where nothing is known. */
  values: (number | null)[];
}

/** Values over the time of the report. */
export interface DocumentChart {
  title: string;
  /** `bars` stand one on the other. */
  kind: "bars" | "lines";
  series: ChartSeries[];
  /** Where the upright axis begins and ends, and what stands there. */
  bottom: number;
  top: number;
  bottomLabel: string;
  topLabel: string;
  /** What stands below the first point and below the last. */
  firstLabel: string;
  lastLabel: string;
}

export interface DocumentColumn {
  head: string;
  align: "start" | "end";
  /** Its share of the width. */
  share: number;
}

export interface DocumentTable {
  title: string;
  columns: DocumentColumn[];
  rows: string[][];
  /** What is said of those that are left out, or where there is none. */
  note: string | null;
}

/** A report as people read it: every text is written, in one language, and nothing is computed any more. */
export interface ReportDocument {
  language: Language;
  title: string;
  organization: string;
  period: string;
  compared: string;
  generated: string;
  /** With `{page}` and `{pages}` still to be filled. */
  pageLabel: string;
  figures: DocumentFigure[];
  charts: DocumentChart[];
  tables: DocumentTable[];
  notes: string[];
}
