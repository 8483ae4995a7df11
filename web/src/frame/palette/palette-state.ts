import { useSyncExternalStore } from "react";

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens the command palette. */
export const openPalette = (): void => set(true);

/** Closes it. */
export const closePalette = (): void => set(false);

/** Whether it is open. */
export const usePaletteOpen = (): boolean => useSyncExternalStore(subscribe, () => open);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
