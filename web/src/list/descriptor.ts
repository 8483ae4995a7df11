import type { ReactElement, ReactNode } from "react";

/** The room of the first column. */
export interface NameRoom {
  /** The least. */
  leastRem: number;
  /** What it takes of the room that is left, where each column that grows takes one. */
  shares: number;
}

/* The list itself knows only rows, widths, keys and places; whatever is listed next is another descriptor. */

export interface Listed {
  id: number;
}

/** A page of a list, and how many items fit its view altogether. */
export interface ListPage<Item> {
  items: Item[];
  total: number;
  /** They keep the places that they had, and another order waits. */
  isReordered?: boolean;
}

/** A column after the first one, which has the item's name. */
export interface ListColumn<Item> {
  id: string;
  head: string;
  /** What the head says under the pointer. */
  hint?: string;
  /** What the API calls the order by it; undefined: there is none. */
  sort?: string;
  widthRem: number;
  /** Takes a share of the room that is left, with `widthRem` as the least. */
  grows?: boolean;
  /** Where there is too little room, those with the larger numbers go first. */
  rank: number;
  /** `end` for numbers: flush right. */
  align?: "start" | "end";
  /** The reader cannot leave it out. */
  stays?: boolean;
  cell(item: Item): ReactNode;
}

export interface RowAction {
  id: string;
  label: string;
  icon: ReactElement;
  danger?: boolean;
  run(): void;
}

export interface ListDescriptor<Item extends Listed> {
  /** The reader's choice of columns is remembered under it. */
  id: string;
  label: string;
  /** Of the first column; `room` where the names are long, and may take two lines. */
  name: { head: string; sort?: string; room?: NameRoom };
  columns: readonly ListColumn<Item>[];
  nameOf(item: Item): string;
  pathOf(item: Item): string;
  /** Where it is changed; undefined where the reader may not. */
  editPathOf?(item: Item): string;
  /** One word for how it is, by which rows are coloured. */
  statusOf(item: Item): string;
  /** What the row says under the pointer. */
  detailsOf(item: Item): string;
  /** Before the name, after it, and under it. */
  lead(item: Item): ReactNode;
  beside(item: Item): ReactNode;
  under(item: Item): ReactNode;
  /** Where there is room for one column only: beside the name, and under all of that. */
  figure(item: Item): ReactNode;
  summary(item: Item): ReactNode;
  menu(item: Item): readonly RowAction[];
}
