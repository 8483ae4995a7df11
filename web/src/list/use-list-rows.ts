import { type UseQueryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { pageSize } from "../api/list-pages.ts";
import type { Reading } from "../components/chart-data.ts";
import type { ListPage } from "./descriptor.ts";

/** Places of the list, both included. */
export interface RowRange {
  first: number;
  last: number;
}

/** Reads one page of a view, of `pageSize` items; `page` from 0. `Stored`: what the cache has of it. */
export type PageQuery<Item, View, Stored> = (
  view: View,
  page: number,
) => UseQueryOptions<Stored, Error, ListPage<Item>, (string | number | View)[]>;

/** Dragging the scroll bar passes hundreds of pages, of which only the last is read. */
const debounceMs = 80;

/** Others are requested when they come into sight. While a new view's first rows load, the old ones stay. */
export function useListRows<Item, View, Stored>(
  pageQuery: PageQuery<Item, View, Stored>,
  view: View,
  inSight: RowRange,
) {
  const [shownView, setShownView] = useState(view);
  const wanted = useQuery(pageQuery(view, 0));
  if (wanted.data && shownView !== view) setShownView(view);
  const current = useQuery(pageQuery(shownView, 0));
  const { first, last } = useThrottled(inSight);
  const from = Math.floor(first / pageSize);
  const to = Math.max(from, Math.floor(last / pageSize));
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const queries = numbers.map((page) => pageQuery(shownView, page));
  const pages = useQueries({ queries, combine: dataOf<ListPage<Item>> });
  const firstPage = current.data;
  /** The same function while it gives the same. */
  const itemAt = useCallback(
    (index: number): Item | undefined => {
      const page = Math.floor(index / pageSize);
      const data = page === 0 ? firstPage : pages[page - from];
      return data?.items[index % pageSize];
    },
    [firstPage, pages, from],
  );
  return {
    /** The view that the rows belong to. */
    view: shownView,
    itemAt,
    /** Its first rows are on their way, or are being read again. */
    isReading: current.isFetching,
    /** Rows keep their places, and another order waits. */
    isReordered: [firstPage, ...pages].some((data) => data?.isReordered),
    /** How many fit it. A new view that cannot be read has none, though the rows of the last one are known. */
    total: {
      ...wanted,
      data: shownView !== view && wanted.error ? undefined : current.data?.total,
    } satisfies Reading<number>,
  };
}

const dataOf = <Data>(readings: { data: Data | undefined }[]): (Data | undefined)[] =>
  readings.map(({ data }) => data);

/** The newest value, but not more often than the delay allows. */
function useThrottled(value: RowRange): RowRange {
  const [shown, setShown] = useState(value);
  const newest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    newest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown((was) =>
        was.first === newest.current.first && was.last === newest.current.last ? was : newest.current,
      );
    }, debounceMs);
  }, [value]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return shown;
}
