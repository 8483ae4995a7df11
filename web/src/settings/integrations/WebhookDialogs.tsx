import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { type CreatedWebhook, type DeploymentWebhook, useSaveWebhook } from "../../api/deployments.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { CopyableField } from "../../components/CopyButton.tsx";
import { Dialog, DialogButtons, focusedAtFirst } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { useFocusBack } from "../../components/focus.ts";
import { textOf, useFormErrors } from "../../components/use-form-errors.ts";
import { useIsShown } from "../../components/use-media.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { showToast } from "../../toasts.ts";

const gitProviders = ["github", "gitlab"] as const;

const listIn = (typed: FormData, name: string): string[] =>
  textOf(typed, name)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** What to enter over there, where this installation knows no address of its own as well. */
const addressOf = ({ url }: DeploymentWebhook): string => (url.startsWith("/") ? location.origin + url : url);

interface WebhookDialogProps {
  /** Null: a new one. */
  webhook: DeploymentWebhook | null;
  /** `secret`: null where it has stayed the same. */
  onSaved: (saved: CreatedWebhook) => void;
  onClose: () => void;
}

/** Who sends, what its deployments touch, and which of them count. */
export function WebhookDialog({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const isShown = useIsShown();
  const saving = useSaveWebhook(webhook?.id ?? null, {
    // The result is announced even if the dialog was closed meanwhile.
    onSaved: (saved) => {
      const { name, secret } = saved;
      if (!isShown() && secret === null) showToast("success", t("webhooks.edit.done", { name }));
      onSaved(saved);
    },
    onFailed: (error) => !isShown() && showToast("error", sentencesOf(error).join(" ")),
  });
  const named = useNamedMonitors(webhook);
  const [gitProvider, setGitProvider] = useState<(typeof gitProviders)[number]>("github");
  const [renewSecret, setRenewSecret] = useState(false);
  const { form, fields, failure } = useFormErrors(saving.error, ["name", "tags", "environments"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const [tags, environments] = [listIn(typed, "tags"), listIn(typed, "environments")];
    const own = webhook === null ? { provider: gitProvider } : { renewSecret };
    saving.mutate({ name: textOf(typed, "name"), tags, environments, ...named.change, ...own });
  };
  const boxes = [
    { name: "name", label: t("name"), hint: t("webhooks.nameHint"), value: webhook?.name },
    {
      ...{ name: "tags", label: t("webhooks.tags") },
      hint: t(named.isAny ? "webhooks.tagsToo" : "webhooks.tagsHint"),
      ...{ value: webhook?.tags.join(", "), optional: true },
    },
    {
      ...{ name: "environments", label: t("webhooks.environments"), hint: t("webhooks.environmentsHint") },
      ...{ value: webhook?.environments.join(", "), optional: true },
    },
  ];
  return (
    <Dialog
      title={webhook === null ? t("webhooks.newTitle") : t("webhooks.edit.title", { name: webhook.name })}
      text={t(webhook === null ? "webhooks.newText" : "webhooks.edit.text")}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <FailureCallout of={failure} />
        {webhook === null && (
          <LabelledSelect
            label={t("webhooks.gitProvider")}
            value={gitProvider}
            options={gitProviders.map((one) => [one, t(`gitProvider.${one}`)])}
            onChange={(value) => setGitProvider(value as typeof gitProvider)}
          />
        )}
        <NamedMonitors ticks={named.ticks} />
        {boxes.map(({ value = "", ...box }) => (
          <Field key={box.name} {...box} errors={fields[box.name]} defaultValue={value} autoComplete="off" />
        ))}
        {webhook !== null && (
          <>
            <CopyableField label={t("webhooks.url")} value={addressOf(webhook)} />
            <Tick type="checkbox" checked={renewSecret} onChange={setRenewSecret}>
              {t("webhooks.edit.renew")}
            </Tick>
          </>
        )}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={saving.isPending}>
            {t(webhook === null ? "webhooks.create" : "webhooks.edit.save")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What to enter over there; the secret is shown this once. */
export function WebhookMadeDialog({ webhook, onClose }: { webhook: CreatedWebhook; onClose: () => void }) {
  const { t } = useTranslation("settings/integrations");
  const { name, provider, secret } = webhook;
  return (
    <Dialog
      title={t("webhooks.madeTitle", { name })}
      text={t(`webhooks.madeText.${provider}`)}
      onLeft={useFocusBack()}
      onClose={onClose}
    >
      <div className="mt-4 grid gap-4">
        <CopyableField label={t("webhooks.url")} value={addressOf(webhook)} ref={focusedAtFirst} />
        <CopyableField label={t("webhooks.secret")} value={secret ?? ""} />
      </div>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t("webhooks.noted")}</Button>
      </div>
    </Dialog>
  );
}

/**
 * In place of monitors that are gone: while it names any, the repository's name does not count. They go with
 * the first one that is taken away, since the list is sent whole.
 */
const gone = "gone";

/** One of the monitors that a webhook names. */
interface MonitorTick {
  id: string;
  name: string;
  isSelected: boolean;
  change: (isSelected: boolean) => void;
}

/** The monitors that a webhook names (null: a new one), what is sent of them, and whether any are left. */
function useNamedMonitors(webhook: DeploymentWebhook | null) {
  const { t } = useTranslation("settings/integrations");
  const count = webhook?.monitorsGone ?? 0;
  const all = [
    ...(webhook?.monitors ?? []).map(({ uuid, name }) => ({ id: uuid, name })),
    ...(count > 0 ? [{ id: gone, name: t("webhooks.gone", { count }) }] : []),
  ];
  const [left, setLeft] = useState<readonly string[]>([]);
  const isFewer = left.length > 0;
  const ticks = all.map(({ id, name }): MonitorTick => {
    const without = id === gone ? [] : left.filter((other) => other !== id);
    const change = (isSelected: boolean) => setLeft(isSelected ? without : [...left, id]);
    return { id, name, isSelected: id === gone ? !isFewer : !left.includes(id), change };
  });
  const selected = ticks.filter(({ isSelected }) => isSelected).map(({ id }) => id);
  return { ticks, change: isFewer ? { monitors: selected } : {}, isAny: selected.length > 0 };
}

/** The monitors that its deployments touch by name, which may be taken away. */
function NamedMonitors({ ticks }: { ticks: readonly MonitorTick[] }) {
  const { t } = useTranslation("settings/integrations");
  if (ticks.length === 0) return null;
  return (
    <fieldset className="grid max-h-48 gap-2 overflow-y-auto text-sm">
      <legend className="pb-1.5 font-medium">{t("webhooks.monitors")}</legend>
      {ticks.map(({ id, name, isSelected, change }) => (
        <Tick key={id} type="checkbox" checked={isSelected} onChange={change}>
          <bdi>{name}</bdi>
        </Tick>
      ))}
    </fieldset>
  );
}
