import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { FailureNotice } from "./FailureNotice.tsx";
import { failureOf } from "./failure.ts";

interface ConfirmDialogProps {
  title: string;
  text: string;
  submitLabel: string;
  /** Default: "Cancel". */
  cancelLabel?: string;
  busy: boolean;
  /** Why it could not be done. */
  error?: Error | null;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={props.title} text={props.text} onLeft={props.onLeft} onClose={props.onCancel}>
      {props.error && (
        <div className="mt-4">
          <FailureNotice of={failureOf(props.error)} />
        </div>
      )}
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" autoFocus onClick={props.onCancel}>
          {props.cancelLabel ?? t("action.cancel")}
        </Button>
        <Button variant="danger" busy={props.busy} onClick={props.onConfirm}>
          {props.submitLabel}
        </Button>
      </div>
    </Dialog>
  );
}
