import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { useDeleteMonitor } from "../../api/monitors.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { failureOf } from "../../components/failure.ts";
import { textOf } from "../../components/form-text.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { monitorKinds } from "../../kinds.ts";
import { showToast } from "../../toasts.ts";

interface DeleteDeviceDialogProps {
  device: Pick<Monitor, "id" | "name">;
  onClose: () => void;
  onDeleted: () => void;
}

/** Deletes it once its name has been typed. */
export function DeleteDeviceDialog({ device: { id, name }, onClose, onDeleted }: DeleteDeviceDialogProps) {
  const { t } = useTranslation(["monitors/device", "shared"]);
  const deletion = useDeleteMonitor(monitorKinds.device);
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isRight = textOf(new FormData(event.currentTarget), "confirmation").trim() === name.trim();
    setWrong(!isRight);
    if (!isRight) return;
    const tell = () => {
      showToast("success", t("delete.done", { name }));
      onDeleted();
    };
    deletion.mutate({ id }, { onSuccess: tell });
  };
  return (
    <Dialog
      title={t("delete.title", { name })}
      text={t("delete.text")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate className="mt-4 grid gap-5">
        {deletion.error && <FailureNotice of={failureOf(deletion.error)} />}
        <Field
          ref={focusedAtFirst}
          name="confirmation"
          label={t("delete.type", { name })}
          {...(isWrong && { errors: [t("delete.wrong")] })}
          autoComplete="off"
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" variant="danger" busy={deletion.isPending}>
            {t("shared:action.delete")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
