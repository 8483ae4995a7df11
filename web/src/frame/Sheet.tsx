import { X } from "lucide-react";
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { giveFocusBack } from "../components/focus.ts";

interface SheetProps {
  title: string;
  action?: ReactNode;
  /** Runs once it is closed; it is mounted only while it is open. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * From the edge of a phone, beside the sidebar elsewhere. Escape, the page behind and the button close the
 * browser's own dialog, and the focus goes back.
 */
export function Sheet({ title, action, onClose, children }: SheetProps) {
  const { t } = useTranslation();
  const sheet = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Read before the sheet opens and takes it.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => sheet.current?.showModal(), []);
  useLayoutEffect(
    () => () => {
      if (opener instanceof HTMLElement) giveFocusBack(() => opener.focus());
    },
    [opener],
  );
  const closeFromBehind = (event: MouseEvent) => {
    if (event.target === sheet.current) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={sheet}
      aria-labelledby={id}
      onClose={onClose}
      onClick={closeFromBehind}
      className="arriving fixed inset-x-0 top-auto bottom-0 m-0 max-h-[85dvh] w-full max-w-full overflow-y-auto overscroll-contain rounded-t-lg border border-line bg-raised text-ink shadow-float backdrop:bg-scrim md:inset-x-auto md:bottom-2 md:left-[calc(var(--sidebar)+0.5rem)] md:max-h-[70dvh] md:w-104 md:rounded-lg md:backdrop:bg-transparent"
    >
      <div className="pb-[env(safe-area-inset-bottom)]">
        <div className="sticky top-0 z-1 flex h-12 items-center gap-2 border-b border-line bg-raised pr-1.5 pl-4">
          <h2 id={id} className="min-w-0 flex-1 truncate font-semibold">
            {title}
          </h2>
          {action}
          <IconButton label={t("action.close")} onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** How the pages are offered: beside the page with their names, as icons alone, or at the bottom of a phone. */
type FrameForm = "sidebar" | "rail" | "bar";

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
