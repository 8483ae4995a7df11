import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Monitor, type MonitorView, readStretch } from "../../../api/monitor-list.ts";
import { showToast } from "../../../components/toasts.ts";
import { useKind } from "../../../kinds/use-kind.ts";

/** The chosen monitors by number, as they were when they were chosen. */
export type Chosen = ReadonlyMap<number, Monitor>;

/**
 * Which monitors are chosen. `choose` turns one over; with `stretch`, everything from the last one turned
 * over to this one becomes what it became, rows that were never in sight included.
 */
export function useSelection(view: MonitorView) {
  const client = useQueryClient();
  const kind = useKind();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const anchor = useRef<{ view: MonitorView; index: number; on: boolean } | null>(null);
  const put = useCallback((monitors: readonly Monitor[], on: boolean) => {
    setChosen((was) => {
      const next = new Map(was);
      for (const monitor of monitors) {
        if (on) next.set(monitor.id, monitor);
        else next.delete(monitor.id);
      }
      return next;
    });
  }, []);
  const putStretch = useCallback(
    async (from: number, to: number, on: boolean) => {
      try {
        put(await readStretch(client, kind, view, Math.min(from, to), Math.max(from, to)), on);
      } catch (error) {
        showToast("error", error instanceof Error ? error.message : String(error));
      }
    },
    [client, kind, view, put],
  );
  const choose = useCallback(
    (monitor: Monitor, index: number, on: boolean, stretch: boolean) => {
      const from = anchor.current;
      if (stretch && from?.view === view) void putStretch(from.index, index, from.on);
      else {
        put([monitor], on);
        anchor.current = { view, index, on };
      }
    },
    [view, put, putStretch],
  );
  const keep = useCallback((monitors: readonly Monitor[]) => {
    setChosen(new Map(monitors.map((monitor) => [monitor.id, monitor])));
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
  return { chosen, choose, keep, clear, chooseAll: (total: number) => putStretch(0, total - 1, true) };
}
