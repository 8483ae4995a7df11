import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CreatedWebhook, useCreateWebhook } from "../../../api/deployments.ts";
import { Button } from "../../../components/Button.tsx";
import { CopyableText } from "../../../components/CopyButton.tsx";
import { Dialog, DialogButtons } from "../../../components/Dialog.tsx";
import { FailureNotice } from "../../../components/FailureNotice.tsx";
import { Field } from "../../../components/Field.tsx";
import { textOf } from "../../../components/form-text.ts";
import { useFocusBack } from "../../../components/use-focus-back.ts";
import { useFormErrors } from "../../../components/use-form-errors.ts";
import { LabelledSelect } from "../../../forms/LabelledSelect.tsx";

const forges = ["github", "gitlab"] as const;

const listIn = (typed: FormData, name: string): string[] =>
  textOf(typed, name)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** Who sends, what its deployments touch, and which of them count. */
export function NewWebhookDialog({
  onMade,
  onClose,
}: {
  onMade: (one: CreatedWebhook) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("settings/integrations");
  const creation = useCreateWebhook();
  const [forge, setForge] = useState<(typeof forges)[number]>("github");
  const { form, fields, failure } = useFormErrors(creation.error, ["name", "tags", "environments"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const [tags, environments] = [listIn(typed, "tags"), listIn(typed, "environments")];
    creation.mutate(
      { name: textOf(typed, "name"), provider: forge, tags, environments },
      { onSuccess: onMade },
    );
  };
  return (
    <Dialog
      title={t("webhooks.newTitle")}
      text={t("webhooks.newText")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <FailureNotice of={failure} />
        <LabelledSelect
          label={t("webhooks.forge")}
          value={forge}
          options={forges.map((one) => [one, t(`forge.${one}`)])}
          onChange={(value) => setForge(value as typeof forge)}
        />
        <Field
          name="name"
          label={t("name")}
          hint={t("webhooks.nameHint")}
          errors={fields.name}
          autoComplete="off"
        />
        <Field
          name="tags"
          label={t("webhooks.tags")}
          hint={t("webhooks.tagsHint")}
          errors={fields.tags}
          autoComplete="off"
          optional
        />
        <Field
          name="environments"
          label={t("webhooks.environments")}
          hint={t("webhooks.environmentsHint")}
          errors={fields.environments}
          autoComplete="off"
          optional
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={creation.isPending}>
            {t("webhooks.create")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What to enter over there; the secret is shown this once. */
export function WebhookMadeDialog({ webhook, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
  const { t } = useTranslation("settings/integrations");
  const { name, provider, url, secret } = webhook;
  const address = url.startsWith("/") ? location.origin + url : url;
  const said = [
    [t("webhooks.url"), address],
    [t("webhooks.secret"), secret ?? ""],
  ] as const;
  return (
    <Dialog
      title={t("webhooks.madeTitle", { name })}
      text={t(`webhooks.madeText.${provider}`)}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <div className="mt-4 grid gap-4">
        {said.map(([label, value]) => (
          <div key={label} className="grid gap-1.5">
            <p className="text-sm font-medium">{label}</p>
            <CopyableText>{value}</CopyableText>
          </div>
        ))}
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t("webhooks.noted")}</Button>
      </div>
    </Dialog>
  );
}
