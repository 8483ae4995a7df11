import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type CSSProperties, useRef } from "react";
import { directionOf } from "../i18n/direction.ts";

export interface Column<Row> {
  /** Once in a table. */
  id: string;
  head: string;
  /** As `grid-template-columns` has it. */
  width: string;
  /** A cell's content, and its tooltip in full. */
  text: (row: Row) => string;
  /** `end` for numbers: flush right, in digits of one width. */
  align?: "end";
}

interface LongTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string | number;
  /** A column's id; a leading `-` turns the order round. Undefined: the rows have one order. */
  sort?: string;
  onSort?: (sort: string) => void;
  className?: string;
}

const rowPx = 34;

/** Rows of any number, of which only those in sight are there: the box scrolls under its heads, with the keyboard too. */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { label, columns, rows, keyOf, sort, onSort, className = "max-h-120" } = props;
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- its functions stay the same while their answers change; nothing here keeps an answer
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(" ") };
  return (
    <section
      ref={box}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={label}
      className={`overflow-auto rounded-md border border-line bg-surface focus-visible:-outline-offset-2 ${className}`}
    >
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full min-w-max text-sm"
      >
        <div role="rowgroup" className="sticky top-0 z-10 bg-surface text-xs text-ink-faint">
          <div role="row" aria-rowindex={1} style={template} className="grid h-8 items-center gap-x-4 px-3">
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtualizer.getTotalSize() }} className="relative">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index] as Row;
            const place: CSSProperties = { ...template, transform: `translateY(${start}px)`, height: rowPx };
            return (
              <div
                key={keyOf(row, index)}
                role="row"
                aria-rowindex={index + 2}
                style={place}
                className="absolute inset-x-0 top-0 grid items-center gap-x-4 border-t border-line px-3 hover:bg-hover"
              >
                {columns.map(({ id, text, align }) => (
                  <Cell key={id} text={text(row)} align={align} />
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function Cell({ text, align }: { text: string; align: "end" | undefined }) {
  const look = align === "end" ? "text-right tabular-nums" : "";
  return (
    <div role="cell" title={text} dir={directionOf(text)} className={`min-w-0 truncate ${look}`}>
      {text}
    </div>
  );
}

interface HeadProps<Row> extends Pick<LongTableProps<Row>, "sort" | "onSort"> {
  column: Column<Row>;
}

function Head<Row>({ column: { id, head, align }, sort, onSort }: HeadProps<Row>) {
  const side = align === "end" ? "justify-end text-right" : "";
  if (!onSort) {
    return (
      <div role="columnheader" className={`flex min-w-0 ${side}`}>
        <bdi className="truncate">{head}</bdi>
      </div>
    );
  }
  const isUp = sort === id;
  const isDown = sort === `-${id}`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}
      className={`flex min-w-0 ${side}`}
    >
      <button
        type="button"
        onClick={() => onSort(isUp ? `-${id}` : id)}
        className={`flex min-w-0 items-center gap-1 rounded-sm hover:text-ink ${isUp || isDown ? "text-ink" : ""}`}
      >
        <span className="truncate">{head}</span>
        {(isUp || isDown) && <Arrow aria-hidden className="size-3 shrink-0" />}
      </button>
    </div>
  );
}
