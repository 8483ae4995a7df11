import { useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { isGone } from "../../api/client.ts";
import { monitorQuery } from "../../api/monitor.ts";
import { addRecent, type RecentsOwner, removeRecent } from "../../api/recents.ts";
import { type MonitorKind, monitorKinds } from "../../kinds.ts";

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export const openPalette = (): void => set(true);

export const closePalette = (): void => set(false);

export const usePaletteOpen = (): boolean => useSyncExternalStore(subscribe, () => open);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The monitor whose page the address leads to; null for any other page. */
export function monitorAt(path: string): { kind: MonitorKind; id: number } | null {
  for (const kind of Object.values(monitorKinds)) {
    const [, id] = new RegExp(`^${kind.pages.one.replace("$id", "(\\d{1,15})")}(?:/|$)`).exec(path) ?? [];
    if (id !== undefined) return { kind, id: Number(id) };
  }
  return null;
}

export function useRememberVisits(owner: RecentsOwner): void {
  const client = useQueryClient();
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? "" });
  useEffect(() => {
    const shown = monitorAt(path);
    if (!shown) return;
    const { kind, id } = shown;
    client.ensureQueryData(monitorQuery(kind, id)).then(
      (monitor) =>
        addRecent(owner, { kind: kind.id, id, name: monitor.name, address: kind.addressOf(monitor) }),
      (error: Error) => {
        if (isGone(error)) removeRecent(owner, { kind: kind.id, id });
      },
    );
  }, [client, path, owner]);
}
