import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { type DomainDetail, useUpdateDomain } from "../../api/domain.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { Notice } from "../../components/Notice.tsx";
import { showToast } from "../../components/toasts.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";

interface EditDomainDialogProps {
  detail: DomainDetail;
  onDone: () => void;
  onLeft: () => void;
}

const names = ["name", "checkInterval", "timeout"] as const;

/** Name and interval. What is wrong with them the API says, and it stands at the field. */
export function EditDomainDialog({ detail, onDone, onLeft }: EditDomainDialogProps) {
  const { t } = useTranslation();
  const update = useUpdateDomain(detail.id);
  const { form, fields, message } = useFormErrors(update.error, names);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const change = {
      name: textOf(typed, "name").trim(),
      checkInterval: Number.parseFloat(textOf(typed, "checkInterval")),
      timeout: Number.parseFloat(textOf(typed, "timeout")),
    };
    update.mutate(change, {
      onSuccess: ({ data }) => {
        showToast("success", t("domain.edit.done", { name: data.name }));
        onDone();
      },
    });
  };
  return (
    <Dialog title={t("domain.edit.title", { name: detail.name })} onClose={onDone} onLeft={onLeft}>
      <form ref={form} onSubmit={submit} noValidate className="mt-5 grid gap-4">
        {message && <Notice tone="error">{message}</Notice>}
        <Field
          name="name"
          label={t("domain.edit.name")}
          errors={fields["name"]}
          defaultValue={detail.name}
          autoComplete="off"
          autoFocus
        />
        <Field
          name="checkInterval"
          inputMode="numeric"
          label={t("domain.edit.interval")}
          hint={t("domain.edit.intervalHint")}
          errors={fields["checkInterval"]}
          defaultValue={detail.checkInterval}
          autoComplete="off"
        />
        <Field
          name="timeout"
          inputMode="numeric"
          label={t("domain.edit.timeout")}
          hint={t("domain.edit.timeoutHint")}
          errors={fields["timeout"]}
          defaultValue={detail.timeout}
          autoComplete="off"
        />
        <div className="mt-2 flex justify-end gap-2">
          <Button variant="quiet" onClick={onDone}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" busy={update.isPending}>
            {t("action.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
