import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Domain, type DomainView, readStretch } from "../../api/domain-list.ts";
import { showToast } from "../../components/toasts.ts";

/** The chosen domains by number, as they were when they were chosen. */
export type Chosen = ReadonlyMap<number, Domain>;

/**
 * Which domains are chosen. `choose` turns one over; with `stretch`, everything from the last one turned
 * over to this one becomes what it became, rows that were never in sight included.
 */
export function useSelection(view: DomainView) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const anchor = useRef<{ view: DomainView; index: number; on: boolean } | null>(null);
  const put = useCallback((domains: readonly Domain[], on: boolean) => {
    setChosen((was) => {
      const next = new Map(was);
      for (const domain of domains) {
        if (on) next.set(domain.id, domain);
        else next.delete(domain.id);
      }
      return next;
    });
  }, []);
  const putStretch = useCallback(
    async (from: number, to: number, on: boolean) => {
      try {
        put(await readStretch(client, view, Math.min(from, to), Math.max(from, to)), on);
      } catch (error) {
        showToast("error", error instanceof Error ? error.message : String(error));
      }
    },
    [client, view, put],
  );
  const choose = useCallback(
    (domain: Domain, index: number, on: boolean, stretch: boolean) => {
      const from = anchor.current;
      if (stretch && from?.view === view) void putStretch(from.index, index, from.on);
      else {
        put([domain], on);
        anchor.current = { view, index, on };
      }
    },
    [view, put, putStretch],
  );
  const keep = useCallback((domains: readonly Domain[]) => {
    setChosen(new Map(domains.map((domain) => [domain.id, domain])));
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
