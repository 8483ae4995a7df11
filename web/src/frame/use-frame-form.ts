import { useSyncExternalStore } from "react";

/** How the pages are offered: beside the page with their names, as icons alone, or at the bottom of a phone. */
export type FrameForm = "sidebar" | "rail" | "bar";

const storageKey = "vedette.sidebar";
const wide = matchMedia("(min-width: 80rem)");
const narrow = matchMedia("(max-width: 47.999rem)");
const listeners = new Set<() => void>();
let chosen = savedForm();

/** The form that fits the window, or that the reader has chosen for all but phones. */
export function useFrameForm(): FrameForm {
  return useSyncExternalStore(subscribe, currentForm);
}

/** From the sidebar to the rail and back, remembered in this browser; nothing on a phone. */
export function toggleSidebar(): void {
  const form = currentForm();
  if (form === "bar") return;
  chosen = form === "rail" ? "sidebar" : "rail";
  try {
    localStorage.setItem(storageKey, chosen);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

function currentForm(): FrameForm {
  if (narrow.matches) return "bar";
  return chosen ?? (wide.matches ? "sidebar" : "rail");
}

function savedForm(): "sidebar" | "rail" | null {
  try {
    const saved = localStorage.getItem(storageKey);
    return saved === "sidebar" || saved === "rail" ? saved : null;
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  for (const query of [wide, narrow]) query.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    for (const query of [wide, narrow]) query.removeEventListener("change", listener);
  };
}
