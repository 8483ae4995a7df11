import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";
import { giveFocusBack } from "./focus.ts";

interface DialogProps {
  title: string;
  text?: string;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onClose: () => void;
  /** For what has long lines. */
  isWide?: boolean;
  children: ReactNode;
}

/** `ref` of what has the focus when its dialog opens, where that is not the first control: `autoFocus` comes too early. */
export const focusedAtFirst = (control: HTMLElement | null): void => control?.setAttribute("autofocus", "");

/** A sheet above the page. The browser's own dialog keeps the focus inside; Escape closes it. */
export function Dialog({ title, text, onLeft, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(() => () => giveFocusBack(onLeft), [onLeft]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      onClose={onClose}
      className={`arriving m-auto ${isWide ? "w-140" : "w-104"} max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-5 text-ink shadow-float backdrop:bg-scrim`}
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold wrap-anywhere">
        {title}
      </h2>
      {text !== undefined && (
        <p id={`${id}-text`} className="mt-1.5 text-ink-muted">
          {text}
        </p>
      )}
      {children}
    </dialog>
  );
}

interface DialogButtonsProps {
  /** Default: "Cancel". */
  cancelLabel?: string | undefined;
  onCancel: () => void;
  children: ReactNode;
}

/** What ends a form in a dialog: the way out, and what it is for. */
export function DialogButtons({ cancelLabel, onCancel, children }: DialogButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex justify-end gap-2">
      <Button variant="quiet" onClick={onCancel}>
        {cancelLabel ?? t("action.cancel")}
      </Button>
      {children}
    </div>
  );
}
