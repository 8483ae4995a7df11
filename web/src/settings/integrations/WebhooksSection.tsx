import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type CreatedWebhook,
  type DeploymentWebhook,
  useDeleteWebhook,
  webhooksQuery,
} from "../../api/deployments.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { StateTable } from "../SettingRow.tsx";
import { WebhookDialog, WebhookMadeDialog } from "./WebhookDialogs.tsx";

type OpenDialog =
  | { for: "edit"; webhook: DeploymentWebhook | null }
  | { for: "delete"; webhook: DeploymentWebhook };

export function WebhooksSection() {
  const { t } = useTranslation("settings/integrations");
  const query = useQuery(webhooksQuery);
  const canWrite = useMayWrite();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [made, setMade] = useState<readonly CreatedWebhook[]>([]);
  const close = () => setDialog(null);
  // It may have been closed meanwhile: what was opened since stays, and so does a secret that has not been copied yet.
  const onSaved = (saved: CreatedWebhook) => {
    if (saved.secret !== null) setMade((others) => [...others, saved]);
    setDialog((now) => (now === dialog ? null : now));
  };
  return (
    <Section
      title={t("webhooks.title")}
      trailing={
        canWrite && (
          <Button variant="quiet" onClick={() => setDialog({ for: "edit", webhook: null })}>
            <Plus aria-hidden className="-ml-0.5 size-4" />
            {t("webhooks.add")}
          </Button>
        )
      }
    >
      <Loaded
        of={query}
        failed={t("webhooks.failed")}
        loading={<WebhookTable webhooks={undefined} />}
        empty={t("webhooks.empty")}
      >
        {(webhooks) => <WebhookTable webhooks={webhooks} onOpen={canWrite ? setDialog : undefined} />}
      </Loaded>
      {dialog?.for === "edit" && <WebhookDialog webhook={dialog.webhook} onSaved={onSaved} onClose={close} />}
      {dialog?.for === "delete" && <DeleteWebhook webhook={dialog.webhook} onDone={close} />}
      {made.map((webhook) => (
        <WebhookMadeDialog
          key={webhook.secret}
          webhook={webhook}
          onClose={() => setMade((all) => all.filter((one) => one !== webhook))}
        />
      ))}
    </Section>
  );
}

interface WebhookTableProps {
  webhooks: DeploymentWebhook[] | undefined;
  /** Undefined: the reader may not. */
  onOpen?: ((what: OpenDialog) => void) | undefined;
}

function WebhookTable({ webhooks, onOpen }: WebhookTableProps) {
  const { t } = useTranslation("settings/integrations");
  const actions = (webhook: DeploymentWebhook) => (
    <>
      <IconButton
        label={t("webhooks.edit.label", { name: webhook.name })}
        onClick={() => onOpen?.({ for: "edit", webhook })}
      >
        <Pencil aria-hidden className="size-4" />
      </IconButton>
      <IconButton
        label={t("webhooks.delete.label", { name: webhook.name })}
        onClick={() => onOpen?.({ for: "delete", webhook })}
      >
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </>
  );
  return (
    <StateTable
      rows={webhooks}
      heads={{ name: t("name"), state: t("state") }}
      name={(webhook) => <WebhookName webhook={webhook} />}
      state={(webhook) => <Received webhook={webhook} />}
      actions={onOpen && actions}
      actionsWidth="w-26"
    />
  );
}

function WebhookName({
  webhook: { name, provider, tags, environments, monitors, monitorsGone: count },
}: {
  webhook: DeploymentWebhook;
}) {
  const { t } = useTranslation("settings/integrations");
  const named = [...monitors.map((one) => one.name), ...(count > 0 ? [t("webhooks.gone", { count })] : [])];
  return (
    <>
      <div dir="auto" className="truncate font-medium">
        {name}
      </div>
      <div className="truncate text-xs text-ink-faint">
        {[
          t(`gitProvider.${provider}`),
          tags.length > 0 && t("webhooks.ofTags", { count: tags.length, tags: tags.join(", ") }),
          ...named,
          environments.length > 0 && t("webhooks.only", { environments: environments.join(", ") }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </div>
    </>
  );
}

function Received({
  webhook: { lastReceivedAt: at, lastFailure, lastFailureFact },
}: {
  webhook: DeploymentWebhook;
}) {
  const { t, i18n } = useTranslation("settings/integrations");
  const now = useNow();
  if (at === null) return <span className="text-ink-muted">{t("webhooks.never")}</span>;
  const time = formatMoment(at, now, i18n.language);
  return (
    <span
      title={formatDateTime(at, i18n.language)}
      className={lastFailure === null ? "text-ink-muted" : "wrap-anywhere text-down-ink"}
    >
      {lastFailure === null
        ? t("webhooks.received", { time })
        : t("webhooks.refused", { time, why: translateMessage(lastFailure, lastFailureFact) })}
    </span>
  );
}

function DeleteWebhook({
  webhook: { id, name },
  onDone,
}: {
  webhook: DeploymentWebhook;
  onDone: () => void;
}) {
  const { t } = useTranslation("settings/integrations");
  const words = {
    title: t("webhooks.delete.title", { name }),
    text: t("webhooks.delete.text"),
    done: t("webhooks.delete.done", { name }),
  };
  return (
    <DeleteDialog
      id={id}
      words={words}
      deletion={useDeleteWebhook()}
      focusInstead={focusPage}
      onDone={onDone}
    />
  );
}
