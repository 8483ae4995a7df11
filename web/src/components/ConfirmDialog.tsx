import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showToast } from "../toasts.ts";
import { Button } from "./Button.tsx";
import { FailureCallout, failureOf } from "./Callout.tsx";
import { Dialog } from "./Dialog.tsx";
import { useFocusBack } from "./focus.ts";

interface ConfirmDialogProps {
  title: string;
  text: string;
  submitLabel: string;
  /** Default: "Cancel". */
  cancelLabel?: string;
  busy: boolean;
  error?: Error | null;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={props.title} text={props.text} onLeft={props.onLeft} onClose={props.onCancel}>
      {props.error && (
        <div className="mt-4">
          <FailureCallout of={failureOf(props.error)} />
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

interface DeleteDialogProps {
  id: number;
  /** `done`: what is said once it is gone; `submit`: what the button says, where "Delete" is not the word. */
  words: { title: string; text: string; done: string; submit?: string };
  deletion: Pick<UseMutationResult<unknown, Error, { id: number }>, "mutate" | "isPending" | "error">;
  /** Gives the focus to something else, where what the dialog was opened with went with the deleted thing. */
  focusInstead: () => void;
  onDone: () => void;
}

/** Confirms, deletes, and shows a toast. */
export function DeleteDialog({ id, words, deletion, focusInstead, onDone }: DeleteDialogProps) {
  const { t } = useTranslation();
  const confirmDone = () => {
    showToast("success", words.done);
    onDone();
  };
  return (
    <ConfirmDialog
      title={words.title}
      text={words.text}
      submitLabel={words.submit ?? t("action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate({ id }, { onSuccess: confirmDone })}
      onCancel={onDone}
      onLeft={useFocusBack(focusInstead)}
    />
  );
}
