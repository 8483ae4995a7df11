import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ACCOUNT_SHAPES } from "../../../../server/src/integrations/schemas/integrations.ts?schemas";
import { sentencesOf } from "../../api/client.ts";
import {
  type Integration,
  type Provider,
  type ProviderInfo,
  useBeginLink,
  useLinkAccount,
} from "../../api/integrations.ts";
import { Button } from "../../components/Button.tsx";
import { Callout, FailureCallout, failureOf } from "../../components/Callout.tsx";
import { CopyableField } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { Field, PasswordField } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { useIsShown } from "../../components/use-media.ts";
import type { FieldSchema } from "../../forms/schema.ts";
import { showToast } from "../../toasts.ts";

interface LinkDialogProps {
  provider: Pick<ProviderInfo, "provider" | "link" | "missing" | "callbackUrl">;
  /** The account that is linked again; null: a new one. */
  account: Integration | null;
  onClose: () => void;
}

/** Links an account: by its credentials, or by agreeing at the provider. */
export function LinkDialog({ provider, account, onClose }: LinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const onLeft = useFocusBack();
  const name = t(`provider.${provider.provider}`);
  const title =
    account === null ? t("link.title", { provider: name }) : t("link.againTitle", { name: account.name });
  return (
    <Dialog title={title} text={t(`link.text.${provider.provider}`)} onLeft={onLeft} onClose={onClose}>
      {provider.link === "oauth" ? (
        <Agreement provider={provider} account={account} onClose={onClose} />
      ) : (
        <Credentials provider={provider} account={account} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Credentials({ provider: { provider }, account, onClose }: LinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const navigate = useNavigate();
  const isShown = useIsShown();
  const done = ({ id, name }: Integration) => {
    // A provider takes its time: after the dialog was closed, the page does not change.
    if (!isShown()) showToast("success", t("link.done", { name }));
    else if (account !== null) onClose();
    else void navigate({ to: "/settings/integrations/$provider/$id", params: { provider, id: String(id) } });
  };
  const linking = useLinkAccount({
    onDone: done,
    onFailed: (error) => !isShown() && showToast("error", sentencesOf(error).join(" ")),
  });
  const credentialInputs = credentialFields(provider);
  const names = credentialInputs.map((field) => field.name);
  const { form, fields, failure } = useFormErrors(linking.error, ["name", ...names]);
  const known = (account ?? {}) as unknown as Record<string, string | undefined>;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const given = Object.fromEntries(names.map((name) => [name, textOf(typed, name).trim()]));
    const name = textOf(typed, "name").trim();
    const body = { ...given, ...(name !== "" && { name }) };
    linking.mutate({ provider, id: account?.id ?? null, body });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-4">
      <FailureCallout of={failure} />
      {credentialInputs.map(({ name, isSecret, schema }, at) => {
        const Box = isSecret ? PasswordField : Field;
        return (
          <Box
            key={name}
            name={name}
            label={t(`field.${name}.label` as "field.url.label")}
            hint={t(`field.${name}.hint` as "field.url.hint")}
            maxLength={schema.maxLength}
            errors={fields[name]}
            defaultValue={isSecret ? "" : (known[name] ?? "")}
            autoComplete="off"
            autoFocus={at === 0}
          />
        );
      })}
      {account === null && (
        <Field
          name="name"
          label={t("name")}
          hint={t("link.nameHint")}
          errors={fields.name}
          autoComplete="off"
          optional
        />
      )}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" busy={linking.isPending}>
          {t(account === null ? "link.submit" : "link.again")}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Leads to the provider; what has to be set up before is said here. */
function Agreement({ provider: { provider, missing, callbackUrl }, account, onClose }: LinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const beginning = useBeginLink();
  const [isLeaving, setLeaving] = useState(false);
  const begin = () =>
    beginning.mutate(
      { provider, id: account?.id ?? null },
      {
        onSuccess: (url) => {
          setLeaving(true);
          location.assign(url);
        },
      },
    );
  return (
    <div className="mt-4 grid gap-4">
      {beginning.error && <FailureCallout of={failureOf(beginning.error)} />}
      {missing !== null && (
        <Callout tone="info">
          <p>{t("link.missing", { variable: missing })}</p>
        </Callout>
      )}
      {missing !== null && callbackUrl !== null && (
        <CopyableField label={t("link.callback")} value={callbackUrl} />
      )}
      <DialogButtons onCancel={onClose}>
        {missing === null && (
          <Button autoFocus busy={beginning.isPending || isLeaving} onClick={begin}>
            {t("link.goOn", { provider: t(`provider.${provider}`) })}
          </Button>
        )}
      </DialogButtons>
    </div>
  );
}

interface CredentialField {
  name: string;
  isSecret: boolean;
  schema: FieldSchema;
}

/** Everything that the server takes of an account of that provider but its name, in its order; none: people agree over there. */
export function credentialFields(provider: Provider): CredentialField[] {
  const create: FieldSchema = ACCOUNT_SHAPES[provider]?.create ?? {};
  return Object.entries(create.properties ?? {})
    .filter(([name]) => name !== "name")
    .map(([name, schema]) => ({ name, schema, isSecret: schema.writeOnly === true }));
}
