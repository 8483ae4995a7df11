import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  submitLabel: string;
  busy: boolean;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onConfirm: () => void;
  onCancel: () => void;
  children?: ReactNode;
}

/** Asks before something that cannot be undone. The browser's own dialog keeps the focus inside. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { onLeft } = props;
  useEffect(() => {
    dialog.current?.showModal();
    // While it stands, nothing behind it takes the focus: only in the next frame.
    return () => void requestAnimationFrame(onLeft);
  }, [onLeft]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={props.onCancel}
      className="arriving m-auto w-[26rem] max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-5 text-ink shadow-float backdrop:bg-[rgb(10_11_13/0.45)]"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold break-words">
        {props.title}
      </h2>
      <p id={`${id}-text`} className="mt-1.5 text-ink-muted">
        {props.text}
      </p>
      {props.children}
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" autoFocus onClick={props.onCancel}>
          {t("action.cancel")}
        </Button>
        <Button variant="danger" busy={props.busy} onClick={props.onConfirm}>
          {props.submitLabel}
        </Button>
      </div>
    </dialog>
  );
}
