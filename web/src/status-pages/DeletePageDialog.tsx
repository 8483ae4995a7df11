import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type StatusPage, useDeleteStatusPage } from "../api/status-pages.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout, failureOf } from "../components/Callout.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { Field } from "../components/Field.tsx";
import { useFocusBack } from "../components/focus.ts";
import { showToast } from "../toasts.ts";

interface DeletePageDialogProps {
  page: Pick<StatusPage, "id" | "name" | "slug">;
  onDone: () => void;
  onDeleted?: () => void;
}

/** Requires the page's slug, since its address and its subscribers are gone for good; deletes, and shows a toast. */
export function DeletePageDialog({ page: { id, name, slug }, onDone, onDeleted }: DeletePageDialogProps) {
  const { t } = useTranslation(["status-pages", "shared"]);
  const deletion = useDeleteStatusPage();
  const focusBack = useFocusBack();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== slug) return setWrong(true);
    deletion.mutate(
      { id },
      {
        onSuccess: () => {
          showToast("success", t("delete.done", { name }));
          onDone();
          onDeleted?.();
        },
      },
    );
  };
  return (
    <Dialog title={t("delete.title", { name })} text={t("delete.text")} onLeft={focusBack} onClose={onDone}>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={deletion.error && failureOf(deletion.error)} />
        <Field
          label={t("delete.type", { slug })}
          value={typed}
          errors={isWrong ? [t("delete.wrong", { slug })] : undefined}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setWrong(false);
            setTyped(target.value);
          }}
        />
        <DialogButtons onCancel={onDone}>
          <Button type="submit" variant="danger" busy={deletion.isPending}>
            {t("shared:action.delete")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
