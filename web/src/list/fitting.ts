import type { ListColumn } from "./descriptor.ts";

const remPx = 16;
/** Of a row: its padding, the least for the name, and the menu. */
const paddingRem = 1.5;
const nameRem = 12;
const menuRem = 2.25;
const gapRem = 1;
/** Below it there is one column, with everything in it. */
const compactRem = 36;

/** How a list of some width shows itself. */
export interface Fitting<Column> {
  /** Everything stands under the name, as on a phone. */
  isCompact: boolean;
  /** Those that there is room for, in their order. */
  columns: readonly Column[];
  /** As `grid-template-columns` has it. */
  template: string;
}

type Sized = Pick<ListColumn<never>, "widthRem" | "grows" | "rank">;

/** The columns that a list of this width (pixels) has room for: those of the lowest rank, in their own order. */
export function fitColumns<Column extends Sized>(
  columns: readonly Column[],
  widthPx: number,
): Fitting<Column> {
  const isCompact = widthPx < compactRem * remPx;
  let roomRem = widthPx / remPx - paddingRem - nameRem - gapRem - menuRem;
  const fitting = new Set<Column>();
  for (const column of isCompact ? [] : columns.toSorted((a, b) => a.rank - b.rank)) {
    roomRem -= column.widthRem + gapRem;
    if (roomRem < 0) break;
    fitting.add(column);
  }
  const shown = columns.filter((column) => fitting.has(column));
  const widths = shown.map(({ widthRem, grows }) =>
    grows ? `minmax(${widthRem}rem, 1fr)` : `${widthRem}rem`,
  );
  return {
    isCompact,
    columns: shown,
    template: ["minmax(0, 1fr)", ...widths, `${menuRem}rem`].join(" "),
  };
}
