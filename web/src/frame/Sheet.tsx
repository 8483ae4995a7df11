import { X } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { giveFocusBack } from "../components/focus-page.ts";

interface SheetProps {
  title: string;
  /** What can be done with all of it, beside the title. */
  action?: ReactNode;
  /** Runs once it is closed; it stands in the page only while it is open. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * What comes up from the edge of a phone, and beside the sidebar elsewhere. The browser's own dialog keeps the focus inside;
 * Escape, the page behind and the button close it, and the focus goes back to where it was.
 */
export function Sheet({ title, action, onClose, children }: SheetProps) {
  const { t } = useTranslation();
  const sheet = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Read before the sheet stands and takes it.
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
