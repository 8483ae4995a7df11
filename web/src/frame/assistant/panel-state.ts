import { useSyncExternalStore } from "react";

const storageKey = "vedette.assistant";
/** Where there is room for it beside the page (shared design: from 1440 px on). */
const besidePage = "(min-width: 90rem)";
const listeners = new Set<() => void>();
let isOpen = saved() && matchMedia(besidePage).matches;

/** Opens or closes the assistant's panel; remembered in this browser where it is beside the page. */
export function togglePanel(next = !isOpen): void {
  isOpen = next;
  try {
    localStorage.setItem(storageKey, next ? "open" : "closed");
  } catch {
    // Storage is blocked: it lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export const closePanel = (): void => togglePanel(false);

/** Where it covers the page that a link in it leads to. */
export function closePanelAbovePage(): void {
  if (!matchMedia(besidePage).matches) closePanel();
}

export const usePanelOpen = (): boolean => useSyncExternalStore(subscribe, () => isOpen);

function saved(): boolean {
  try {
    return localStorage.getItem(storageKey) === "open";
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** As `ref` of what goes when it is pressed, or something in it: the focus stays in the panel, where something is said if it was there. */
export const keepFocusInPanel = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  element.closest<HTMLElement>("[role=log], [data-assistant]")?.focus({ preventScroll: true });
};
