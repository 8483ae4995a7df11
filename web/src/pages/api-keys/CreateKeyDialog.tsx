import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CreatedApiKey, useCreateApiKey } from "../../api/api-keys.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Field, FieldNote } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { Notice } from "../../components/Notice.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Select } from "../../forms/Select.tsx";
import { focusCreateButton } from "./focus.ts";
import { ScopeGrid } from "./ScopeGrid.tsx";

const dayMs = 86_400_000;
/** Days until the key ends; 0: never. */
const lifetimes = [0, 30, 90, 365] as const;

interface CreateKeyDialogProps {
  onCreated: (key: CreatedApiKey) => void;
  onClose: () => void;
}

/** Name, scopes and end of a new key. */
export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const creation = useCreateApiKey();
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [days, setDays] = useState(0);
  const { form, fields, message } = useFormErrors(creation.error, ["name", "scopes", "expiresAt"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
    creation.mutate(
      { name: textOf(typed, "name"), scopes: [...scopes], expiresAt },
      { onSuccess: onCreated },
    );
  };
  return (
    <Dialog title={t("apiKeys.createTitle")} onLeft={focusCreateButton} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        {message && <Notice tone="error">{message}</Notice>}
        <Field
          name="name"
          label={t("apiKeys.name")}
          hint={t("apiKeys.nameHint")}
          errors={fields.name}
          autoFocus
        />
        <ScopeGrid scopes={scopes} errors={fields.scopes} onChange={setScopes} />
        <div className="grid gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            {t("apiKeys.lifetime")}
          </label>
          <Select
            id={id}
            value={String(days)}
            aria-invalid={fields.expiresAt ? true : undefined}
            options={lifetimes.map((one) => [
              String(one),
              one === 0 ? t("apiKeys.neverExpires") : t("apiKeys.days", { count: one }),
            ])}
            onChange={(value) => setDays(Number(value))}
          />
          {fields.expiresAt && <FieldNote id={`${id}-note`} errors={fields.expiresAt} />}
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" busy={creation.isPending}>
            {t("apiKeys.create")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
