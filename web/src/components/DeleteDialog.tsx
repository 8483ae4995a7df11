import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showToast } from "../toasts.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { useFocusBack } from "./use-focus-back.ts";

interface DeleteDialogProps {
  id: number;
  /** `done`: what is said once it is gone; `submit`: what the button says, where "Delete" is not the word. */
  words: { title: string; text: string; done: string; submit?: string };
  deletion: Pick<UseMutationResult<unknown, Error, { id: number }>, "mutate" | "isPending" | "error">;
  /** Gives the focus to something else, where what the dialog was opened with went with the deleted thing. */
  focusInstead: () => void;
  onDone: () => void;
}

/** Asks, deletes, and says so. */
export function DeleteDialog({ id, words, deletion, focusInstead, onDone }: DeleteDialogProps) {
  const { t } = useTranslation();
  const tell = () => {
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
      onConfirm={() => deletion.mutate({ id }, { onSuccess: tell })}
      onCancel={onDone}
      onLeft={useFocusBack(focusInstead)}
    />
  );
}
