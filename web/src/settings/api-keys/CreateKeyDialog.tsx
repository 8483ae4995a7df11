import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CreatedApiKey, useCreateApiKey } from "../../api/api-keys.ts";
import { sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { focusCreateButton } from "./focus.ts";
import { ScopeGrid } from "./ScopeGrid.tsx";

const dayMs = 86_400_000;
/** Days until the key ends; 0: never. */
const lifetimes = [30, 90, 365, 0] as const;
const usualDays = 90;

interface CreateKeyDialogProps {
  onCreated: (key: CreatedApiKey) => void;
  onClose: () => void;
}

/** Name, scopes, end and, for a person of several organizations, reach of a new key. */
export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation(["settings/api-keys", "shared"]);
  const creation = useCreateApiKey();
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [days, setDays] = useState<number>(usualDays);
  const [reach, setReach] = useState("own");
  const belongsToSeveral = (useQuery(sessionQuery).data?.organizations.length ?? 0) > 1;
  const { form, fields, failure } = useFormErrors(creation.error, [
    "name",
    "scopes",
    "expiresAt",
    "allOrganizations",
  ]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString();
    creation.mutate(
      {
        name: textOf(typed, "name"),
        scopes: [...scopes],
        expiresAt,
        allOrganizations: reach === "all",
      },
      { onSuccess: onCreated },
    );
  };
  return (
    <Dialog title={t("createTitle")} onLeft={focusCreateButton} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field name="name" label={t("name")} hint={t("nameHint")} errors={fields.name} autoFocus />
        <ScopeGrid scopes={scopes} errors={fields.scopes} onChange={setScopes} />
        <LabelledSelect
          label={t("lifetime")}
          value={String(days)}
          errors={fields.expiresAt}
          options={lifetimes.map((one) => [
            String(one),
            one === 0 ? t("neverExpires") : t("days", { count: one }),
          ])}
          onChange={(value) => setDays(Number(value))}
        />
        {belongsToSeveral && (
          <LabelledSelect
            label={t("organizations")}
            value={reach}
            errors={fields.allOrganizations}
            options={[
              ["own", t("ownOrganization")],
              ["all", t("allOrganizations")],
            ]}
            onChange={setReach}
          />
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={creation.isPending}>
            {t("create")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
