import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

/** What is stored: null for the system's. */
export type ChosenTheme = Exclude<Theme, "system"> | null;

/** The same key is in public/theme.js, which sets the theme before the first paint. */
const storageKey = "vedette.theme";
/** In the order of the toggle's round. */
export const themes: readonly Theme[] = ["system", "light", "dark"];
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** The theme after `theme` in the toggle's round. */
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function chosenTheme(): ChosenTheme {
  const theme = currentTheme();
  return theme === "system" ? null : theme;
}

/** The chosen theme; renders again when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(onThemeChosen, currentTheme);
}

/** Calls `listener` whenever a theme is chosen; returns what ends that. */
export function onThemeChosen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
