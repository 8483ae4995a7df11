import { useSuspenseQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from "react";
import { sessionQuery } from "../api/session.ts";
import type { ListColumn, Listed, NameRoom } from "./descriptor.ts";

const remPx = 16;
/** Of a row: its padding and the menu. */
const paddingRem = 1.5;
const menuRem = 2.25;
const gapRem = 1;
/** Below it there is one column, with everything in it. */
const compactRem = 36;

/** For the name of something. */
const usualRoom: NameRoom = { leastRem: 12, shares: 1 };

export interface Fitting<Column> {
  /** Everything is under the name, as on a phone. */
  isCompact: boolean;
  /** Those that there is room for, in their order. */
  columns: readonly Column[];
  /** As `grid-template-columns` has it. */
  template: string;
}

/** The part of a column that fitting needs (descriptor.ts). */
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

/** Which columns of a list the reader has hidden; remembered in this browser, for each person and list. */
export function useHiddenColumns(
  listId: string,
): [ReadonlySet<string>, (id: string, isHidden: boolean) => void] {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const key = `vedette.columns.${session?.user.id ?? 0}.${listId}`;
  const [hidden, setHidden] = useState(() => readHidden(key));
  const hide = useCallback(
    (id: string, isHidden: boolean) =>
      setHidden((was) => {
        const next = new Set(was);
        if (isHidden) next.add(id);
        else next.delete(id);
        try {
          localStorage.setItem(key, JSON.stringify([...next]));
        } catch {
          // Storage is blocked: the choice lasts until the page is left.
        }
        return next;
      }),
    [key],
  );
  return [hidden, hide];
}

function readHidden(key: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

/** How many columns the element has room for, whatever is beside it. */
export function useFitting<Item extends Listed>(
  columns: readonly ListColumn<Item>[],
  element: RefObject<HTMLElement | null>,
  room: NameRoom | undefined,
): Fitting<ListColumn<Item>> {
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidthPx(element.current?.clientWidth ?? 0);
    measure();
    const observer = new ResizeObserver(measure);
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return useMemo(() => fitColumns(columns, widthPx, room), [columns, widthPx, room]);
}
