import type { Generated } from "kysely";

/** Booleans are stored as numbers: SQLite has no others, and PostgreSQL does the same here. */
export type Flag = 0 | 1;

/** A column's type in the words of both engines; `id`: an identity that is never given twice. */
export type ColumnType = "id" | "text" | "bigint" | "integer" | "real" | "blob";

export interface Column<Value = unknown> {
  readonly type: ColumnType;
  readonly isNullable?: true;
  readonly defaultValue?: string | number;
  readonly isUnique?: true;
  readonly target?: { readonly table: string; readonly onDelete: OnDelete };
  /** There for its type alone. */
  readonly value?: Value;
  nullable(): Column<Value | null>;
  /** Its value where a row is inserted without it. */
  default(defaultValue: Value & (string | number)): Column<Generated<Value>>;
  unique(): Column<Value>;
  /** Refers to the `id` of a row there, with which it goes unless `onDelete` says otherwise. */
  references(table: string, onDelete?: OnDelete): Column<Value>;
}

type OnDelete = "cascade" | "set null";

const column = <Value>(details: Omit<Column, "value" | ColumnMethod>): Column<Value> => ({
  ...details,
  nullable: () => column({ ...details, isNullable: true }),
  default: (defaultValue) => column({ ...details, defaultValue }),
  unique: () => column({ ...details, isUnique: true }),
  references: (name, onDelete = "cascade") => column({ ...details, target: { table: name, onDelete } }),
});

type ColumnMethod = "nullable" | "default" | "unique" | "references";

/** The number of a row, given by the database. */
export const id = () => column<Generated<number>>({ type: "id" });
/** `text<Language>()` for what is one of some texts. */
export const text = <Value extends string = string>() => column<Value>({ type: "text" });
/** Whole numbers up to 2^53; times (`…_at`, milliseconds), durations and numbers of rows. */
export const bigint = () => column<number>({ type: "bigint" });
/** Whole numbers up to 2^31. */
export const integer = () => column<number>({ type: "integer" });
export const flag = () => column<Flag>({ type: "integer" });
export const real = () => column<number>({ type: "real" });
export const blob = () => column<Uint8Array>({ type: "blob" });

type Columns = Readonly<Record<string, Column>>;

/** Whose a row is: by the column with the organization's id, or by one that refers to another table's `id`; null: of no single one. */
type Tenant<Column extends string = string> =
  | Column
  | { readonly column: Column; readonly of: string }
  | null;

/** How long rows are retained. What belongs to a monitor's history goes with the monitor at the latest. */
export type Retention<Column extends string = string> =
  /** Until they are deleted, or the row they refer to is (`on delete cascade`). */
  | "until deleted"
  /** Until their monitor is removed. */
  | "with its monitor"
  /**
   * Until that time is so many days ago; an index leads with it, since the lowest ids are not the oldest where a clock was
   * ahead for a while. `ofMonitor`: and with its monitor at the latest.
   */
  | { readonly days: number; readonly since: Column; readonly ofMonitor?: true }
  /**
   * A monitor's raw results, as long as the organization's plan says. `spanMs`: the time that a row covers; `beside`: what
   * distinguishes rows of one time, else the location.
   */
  | { readonly rawSince: Column; readonly spanMs: number; readonly beside?: Column }
  /** A monitor's roll-ups, by the length of their period; those of a length that is not named are retained. */
  | { readonly daysByPeriod: Readonly<Partial<Record<PeriodSeconds, number>>> }
  /** A device's metrics, as long as engine/results/precision.ts says. */
  | "by resolution"
  /** As is said here, by code of its own. */
  | { readonly elsewhere: string };

export interface TableDetails<Column extends string = string> {
  readonly tenant: Tenant<Column>;
  readonly retention: Retention<Column>;
  /**
   * `left out`: in no backup. `not restored`: only in the backup. `removed again`: restored for what refers
   * to it.
   */
  readonly backup?: "left out" | "not restored" | "removed again";
}

interface Constraints<Column extends string = string> {
  /** Without it the table has an `id`, by which its rows are known. */
  readonly primaryKey?: readonly Column[];
  /** Of several columns together; one alone says so itself. */
  readonly unique?: readonly (readonly Column[])[];
  /** By their names: `(columns)`, with `unique` before and `where …` after it where that is so. */
  readonly indexes?: Readonly<Record<string, `${"" | "unique "}(${string}`>>;
  /** SQLite: the rows are in the primary key's own index, which halves the size of small ones. */
  readonly withoutRowid?: true;
}

/** A table, described once: its DDL, the type of its rows (RowOf) and what is said of these follow. */
interface Table<Own extends Columns>
  extends TableDetails<NoInfer<keyof Own & string>>,
    Constraints<NoInfer<keyof Own & string>> {
  readonly columns: Own;
}

export interface AnyTable extends TableDetails, Constraints {
  readonly columns: Columns;
}

export type RowOf<T extends { readonly columns: Columns }> = {
  [Name in keyof T["columns"]]: T["columns"][Name] extends { readonly value?: infer Value } ? Value : never;
};

/** The tenant of what belongs to a monitor. */
export const OF_MONITOR = { column: "monitor_id", of: "monitors" } as const;

/** An entry of the list of tables (schema.ts). */
export const table = <const Own extends Columns>(description: Table<Own>): Table<Own> => description;

/** A length of roll-up buckets: 5 minutes, an hour, a day (UTC). */
export type PeriodSeconds = 300 | 3600 | 86_400;
