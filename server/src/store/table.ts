import type { PeriodSeconds } from "../result/range.ts";

/** Whose a row is: by the column with the organization's id, or by one that refers to another table's `id`; null: nobody's alone. */
export type Tenant<Column extends string = string> =
  | Column
  | { readonly column: Column; readonly of: string }
  | null;

/** How long rows are kept. What belongs to a monitor's history goes with the monitor at the latest. */
export type Retention<Column extends string = string> =
  /** Until somebody removes them, or the row they refer to (`on delete cascade`). */
  | "kept"
  /** Until their monitor is removed. */
  | "with its monitor"
  /**
   * Until that time is so many days ago; an index leads with it. `ofMonitor`: and with its monitor at the latest.
   */
  | { readonly days: number; readonly since: Column; readonly ofMonitor?: true }
  /**
   * A monitor's raw results, as long as the organization's plan says. `spanMs`: the time that a row covers; `beside`: what
   * tells apart rows of one time, else the location.
   */
  | { readonly rawSince: Column; readonly spanMs: number; readonly beside?: Column }
  /** A monitor's roll-ups, by the length of their period; those of a length that is not named are kept. */
  | { readonly daysByPeriod: Readonly<Partial<Record<PeriodSeconds, number>>> }
  /** A device's metrics, as long as device/metrics/resolutions.ts says. */
  | "by resolution"
  /** As is said here, by code of its own. */
  | { readonly elsewhere: string };

/** What is said of a table, once, for all that concerns every table. */
export interface TableFacts<Column extends string = string> {
  readonly tenant: Tenant<Column>;
  readonly retention: Retention<Column>;
  /**
   * `left out`: no backup has its rows. `not restored`: a backup has them, but they do not come back. `removed again`: they
   * come back for what refers to them, and go together with it at once.
   */
  readonly backup?: "left out" | "not restored" | "removed again";
}

/** A table of the schema. `row` is there for its type alone. */
export interface Table<Row> extends TableFacts {
  readonly row?: Row;
}

/** The tenant of what belongs to a monitor. */
export const OF_MONITOR = { column: "monitor_id", of: "monitors" } as const;

/** An entry of the list of tables (schema.ts). */
export const table = <Row>(facts: TableFacts<keyof Row & string>): Table<Row> => facts;
