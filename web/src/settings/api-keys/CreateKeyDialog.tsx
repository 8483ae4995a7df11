import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { scopeResources } from "../../../../server/src/accounts/schemas/scope-resources.ts";
import { type CreatedApiKey, useCreateApiKey } from "../../api/api-keys.ts";
import { sessionQuery } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Checkbox, Field, FieldNote } from "../../components/Field.tsx";
import { type Column, Table, TableFrame } from "../../components/Table.tsx";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { focusCreateButton, useScopeWords } from "./KeyList.tsx";

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
        <FailureCallout of={failure} />
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

interface ScopeGridProps {
  scopes: readonly string[];
  errors: string[] | undefined;
  onChange: (scopes: readonly string[]) => void;
}

type Resource = (typeof scopeResources)[number];

/** What a key may read and write, resource by resource. Who may write may read as well. */
function ScopeGrid({ scopes, errors, onChange }: ScopeGridProps) {
  const { t } = useTranslation("settings/api-keys");
  const { resourceName, say } = useScopeWords();
  const id = useId();
  const boxes = (action: "read" | "write"): Column<Resource> => ({
    id: action,
    head: t(action),
    cell: (resource) => {
      const scope = `${action}:${resource}`;
      return (
        <Checkbox
          label={say(action, [resource])}
          checked={scopes.includes(scope)}
          onChange={(on) => onChange(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          className="relative mx-auto my-0.5"
        />
      );
    },
    align: "center",
    width: "w-20",
  });
  const columns: Column<Resource>[] = [
    {
      id: "resource",
      head: t("resource"),
      cell: (resource) => resourceName(resource),
      names: true,
    },
    boxes("read"),
    boxes("write"),
  ];
  return (
    <fieldset aria-describedby={`${id}-note`} className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("scopes")}</legend>
      <TableFrame label={t("scopes")} className="max-h-64">
        <Table columns={columns} rows={scopeResources} keyOf={(resource) => resource} />
      </TableFrame>
      <FieldNote id={`${id}-note`} hint={t("scopesHint")} errors={errors} />
    </fieldset>
  );
}
