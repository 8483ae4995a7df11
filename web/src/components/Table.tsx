import type { ReactNode } from "react";
import { Skeleton } from "./Loaded.tsx";

export interface Column<Row> {
  /** Once in a table. */
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Its cells name their rows to those who cannot see them. */
  names?: boolean;
  /** `end` for numbers: flush right, in digits of one width. */
  align?: "end" | "center";
  /** Left out where the table is narrower than 32 rem; see `note`. */
  wide?: boolean;
  /** A class; what is left is shared by the columns without one. */
  width?: string;
  className?: string;
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string | number;
  /** How many placeholder rows are shown while loading. */
  expected?: number;
  /** What a narrow table shows under the row, for want of its wide columns; null for nothing. */
  note?: (row: Row) => ReactNode;
  /** Shown below the row across all columns; false or null for nothing. */
  below?: (row: Row) => ReactNode;
  /** Attributes that distinguish rows. */
  marks?: (row: Row) => Record<`data-${string}`, string>;
}

/** Rows of values under their heads. The outer columns keep a card's distance from its edges. */
export function Table<Row>({ columns, rows, keyOf, expected = 3, note, below, marks }: TableProps<Row>) {
  const looks = columns.map((_, at) => lookOf(columns, at));
  return (
    <div className="@container">
      <table className="w-full table-fixed text-sm">
        <thead className="text-xs text-ink-faint">
          <tr className="h-8">
            {columns.map(({ id, head, width = "" }, at) => (
              <th key={id} scope="col" className={`${looks[at]} ${width}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <TableRow
              key={keyOf(row)}
              columns={columns}
              looks={looks}
              row={row}
              note={note?.(row)}
              below={below?.(row)}
              marks={marks?.(row)}
            />
          ))}
          {!rows &&
            Array.from({ length: expected }, (_, row) => (
              <tr key={row} aria-hidden className="border-t border-line">
                {columns.map(({ id, align }, at) => (
                  <td key={id} className={`h-10 ${looks[at]}`}>
                    <Skeleton className={`h-3 w-3/5 max-w-28 ${align === "end" ? "ml-auto" : ""}`} />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

const aligns = { start: "text-left", end: "text-right tabular-nums", center: "text-center" };

function lookOf(columns: readonly Column<never>[], at: number): string {
  const { align = "start", wide } = columns[at] ?? {};
  const after = columns.slice(at + 1);
  const end =
    after.length === 0 ? "pr-4" : after.every((column) => column.wide) ? "pr-2 @max-lg:pr-4" : "pr-2";
  return `${at === 0 ? "pl-4" : "pl-2"} ${end} ${aligns[align]} ${wide ? "@max-lg:hidden" : ""}`;
}

interface TableRowProps<Row> {
  columns: readonly Column<Row>[];
  looks: readonly string[];
  row: Row;
  note: ReactNode;
  below: ReactNode;
  marks: Record<`data-${string}`, string> | undefined;
}

function TableRow<Row>({ columns, looks, row, note, below, marks }: TableRowProps<Row>) {
  return (
    <>
      <tr {...marks} className="border-t border-line">
        {columns.map(({ id, cell, names, className = "" }, at) => {
          const look = `py-2.5 align-top ${looks[at]} ${className}`;
          return names ? (
            <th key={id} scope="row" className={look}>
              {cell(row)}
            </th>
          ) : (
            <td key={id} className={look}>
              {cell(row)}
            </td>
          );
        })}
      </tr>
      {note && (
        <tr className="@lg:hidden">
          <td colSpan={columns.filter(({ wide }) => !wide).length} className="px-4 pb-2.5 text-ink-muted">
            <div className="-mt-1.5">{note}</div>
          </td>
        </tr>
      )}
      {below && (
        <tr>
          <td colSpan={columns.length} className="px-4 pb-3">
            {below}
          </td>
        </tr>
      )}
    </>
  );
}

interface TableFrameProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Holds a table that is larger than its place: it scrolls under its heads, with the keyboard too. */
export function TableFrame({ label, className = "", children }: TableFrameProps) {
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={label}
      className={`overflow-auto rounded-md border border-line bg-surface whitespace-nowrap [&_table]:table-auto [&_thead]:sticky [&_thead]:top-0 [&_thead]:z-10 [&_thead]:bg-surface ${className}`}
    >
      {children}
    </section>
  );
}
