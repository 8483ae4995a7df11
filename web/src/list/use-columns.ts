import { useSuspenseQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from "react";
import { sessionQuery } from "../api/session.ts";
import type { ListColumn, Listed } from "./descriptor.ts";
import { type Fitting, fitColumns, type NameRoom } from "./fitting.ts";

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

/** How many columns the element has room for, whatever stands beside it. */
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
