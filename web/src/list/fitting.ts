const remPx = 16;
/** Of a row: its padding and the menu. */
const paddingRem = 1.5;
const menuRem = 2.25;
const gapRem = 1;
/** Below it there is one column, with everything in it. */
const compactRem = 36;

/** The room of the first column. */
export interface NameRoom {
  /** The least. */
  leastRem: number;
  /** What it takes of the room that is left, where each column that grows takes one. */
  shares: number;
}

/** For the name of something. */
const usualRoom: NameRoom = { leastRem: 12, shares: 1 };

/** How a list of some width shows itself. */
export interface Fitting<Column> {
  /** Everything stands under the name, as on a phone. */
  isCompact: boolean;
  /** Those that there is room for, in their order. */
  columns: readonly Column[];
  /** As `grid-template-columns` has it. */
  template: string;
}

/** What is asked of a column (descriptor.ts). */
interface Sized {
  widthRem: number;
  grows?: boolean;
  rank: number;
}

/** The columns that a list of this width (pixels) has room for: those of the lowest rank, in their own order. */
export function fitColumns<Column extends Sized>(
  columns: readonly Column[],
  widthPx: number,
  { leastRem, shares }: NameRoom = usualRoom,
): Fitting<Column> {
  const isCompact = widthPx < compactRem * remPx;
  let roomRem = widthPx / remPx - paddingRem - leastRem - gapRem - menuRem;
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
    template: [`minmax(0, ${shares}fr)`, ...widths, `${menuRem}rem`].join(" "),
  };
}
