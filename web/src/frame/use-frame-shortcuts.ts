import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { togglePanel } from "./assistant/panel-state.ts";
import { entries } from "./entries.ts";
import { openPalette } from "./palette/palette-state.ts";
import { toggleSidebar } from "./Sheet.tsx";

let isShown = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isShown = next;
  for (const listener of listeners) listener();
}

/** Opens the sheet of all shortcuts. */
export const showShortcuts = (): void => set(true);

/** Has the frame's shortcuts work; whether the sheet of all of them is open, and what closes it. */
export function useFrameShortcuts(): { isShown: boolean; hide: () => void } {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const canWrite = useMayWrite();
  const adds = canWrite ? entries.filter((entry) => entry.add !== undefined) : [];
  const add = (adds.find((entry) => path.startsWith(entry.path)) ?? adds[0])?.add;
  const shortcuts = useMemo(() => {
    const app = (keys: string, text: string, run: () => void): Shortcut => ({
      keys,
      text,
      group: "app",
      run,
    });
    return [
      ...entries.flatMap((entry) =>
        entry.key === undefined
          ? []
          : [app(`g ${entry.key}`, t(`app.${entry.id}`), () => void navigate({ to: entry.path }))],
      ),
      ...(add === undefined ? [] : [app("n", t("shortcuts.add"), () => void navigate({ to: add }))]),
      app("g a", t("app.assistant"), () => togglePanel()),
      app("Mod+k", t("app.search"), openPalette),
      app("/", t("app.search"), openPalette),
      app("[", t("shortcuts.sidebar"), toggleSidebar),
      app("?", t("shortcuts.title"), showShortcuts),
    ];
  }, [t, navigate, add]);
  useShortcuts(shortcuts);
  return { isShown: useSyncExternalStore(subscribe, () => isShown), hide };
}

const hide = (): void => set(false);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
