import { useCallback, useEffect, useRef, useState } from "react";
import { showToast } from "../toasts.ts";
import type { Listed } from "./descriptor.ts";

/** The chosen items by number, as they were when they were chosen. */
export type Chosen<Item> = ReadonlyMap<number, Item>;

/** What becomes of a row's box; `isRange`: with the Shift key. */
export type Choose<Item> = (item: Item, index: number, on: boolean, isRange: boolean) => void;

/**
 * With `isRange`, everything from the last one turned over takes the same state, unseen rows included:
 * `readRange` reads a view from one place to another, both included.
 */
export function useSelection<Item extends Listed, View>(
  view: View,
  readRange: (view: View, from: number, to: number) => Promise<Item[]>,
) {
  const [chosen, setChosen] = useState<Chosen<Item>>(new Map());
  const anchor = useRef<{ view: View; index: number; on: boolean } | null>(null);
  const put = useCallback((items: readonly Item[], on: boolean) => {
    setChosen((was) => {
      const next = new Map(was);
      for (const item of items) {
        if (on) next.set(item.id, item);
        else next.delete(item.id);
      }
      return next;
    });
  }, []);
  const putRange = useCallback(
    async (from: number, to: number, on: boolean) => {
      try {
        put(await readRange(view, Math.min(from, to), Math.max(from, to)), on);
      } catch (error) {
        showToast("error", error instanceof Error ? error.message : String(error));
      }
    },
    [view, put, readRange],
  );
  const choose: Choose<Item> = useCallback(
    (item, index, on, isRange) => {
      const from = anchor.current;
      if (isRange && from?.view === view) void putRange(from.index, index, from.on);
      else {
        put([item], on);
        anchor.current = { view, index, on };
      }
    },
    [view, put, putRange],
  );
  const keep = useCallback((items: readonly Item[]) => {
    setChosen(new Map(items.map((item) => [item.id, item])));
    anchor.current = null;
  }, []);
  const clear = useCallback(() => keep([]), [keep]);
  useEffect(() => {
    if (chosen.size === 0) return;
    const clearOnEscape = (event: KeyboardEvent) => {
      const busy = event.defaultPrevented || document.querySelector("dialog[open], [role=menu]") !== null;
      const typing = event.target instanceof Element && event.target.matches("input[type=search]");
      if (event.key === "Escape" && !busy && !typing) clear();
    };
    document.addEventListener("keydown", clearOnEscape);
    return () => document.removeEventListener("keydown", clearOnEscape);
  }, [chosen.size, clear]);
  return {
    chosen,
    choose,
    keep,
    clear,
    chooseAll: (on: boolean, total: number) => (on ? void putRange(0, total - 1, true) : clear()),
  };
}
