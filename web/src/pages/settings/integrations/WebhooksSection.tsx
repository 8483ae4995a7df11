import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type CreatedWebhook,
  type DeploymentWebhook,
  useDeleteWebhook,
  webhooksQuery,
} from "../../../api/deployments.ts";
import { useMayWrite } from "../../../api/roles.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { DeleteDialog } from "../../../components/DeleteDialog.tsx";
import { focusPage } from "../../../components/focus-page.ts";
import { Loaded } from "../../../components/Loaded.tsx";
import { Section } from "../../../components/Section.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { useNow } from "../../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../../format.ts";
import { factInReadersLanguage } from "../../../i18n/i18n.ts";
import { NewWebhookDialog, WebhookMadeDialog } from "./WebhookDialogs.tsx";

/** Where GitHub and GitLab tell of deployments. */
export function WebhooksSection() {
  const { t } = useTranslation("settings/integrations");
  const query = useQuery(webhooksQuery);
  const canWrite = useMayWrite();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<CreatedWebhook | null>(null);
  const [deleting, setDeleting] = useState<DeploymentWebhook | null>(null);
  return (
    <Section
      title={t("webhooks.title")}
      aside={
        canWrite && (
          <Button variant="quiet" onClick={() => setAdding(true)}>
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
        {(webhooks) => <WebhookTable webhooks={webhooks} {...(canWrite && { onDelete: setDeleting })} />}
      </Loaded>
      {adding && (
        <NewWebhookDialog
          onMade={(one) => {
            setAdding(false);
            setMade(one);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made && <WebhookMadeDialog webhook={made} onClose={() => setMade(null)} />}
      {deleting && <DeleteWebhook webhook={deleting} onDone={() => setDeleting(null)} />}
    </Section>
  );
}

interface WebhookTableProps {
  webhooks: DeploymentWebhook[] | undefined;
  onDelete?: (webhook: DeploymentWebhook) => void;
}

function WebhookTable({ webhooks, onDelete }: WebhookTableProps) {
  const { t } = useTranslation(["settings/integrations", "shared"]);
  const columns: Column<DeploymentWebhook>[] = [
    { id: "name", head: t("name"), cell: (one) => <WebhookName webhook={one} />, names: true },
    { id: "state", head: t("state"), cell: (one) => <Received webhook={one} />, wide: true },
  ];
  if (onDelete) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("shared:table.actions")}</span>,
      cell: (one) => (
        <IconButton
          label={t("webhooks.delete.label", { name: one.name })}
          onClick={() => onDelete(one)}
          className="-mr-2"
        >
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ),
      align: "end",
      width: "w-16",
    });
  }
  return (
    <Table
      columns={columns}
      rows={webhooks}
      keyOf={({ id }) => id}
      note={(one) => <Received webhook={one} />}
    />
  );
}

function WebhookName({ webhook: { name, provider, tags, environments } }: { webhook: DeploymentWebhook }) {
  const { t } = useTranslation("settings/integrations");
  return (
    <>
      <div dir="auto" className="truncate font-medium">
        {name}
      </div>
      <div className="truncate text-xs text-ink-faint">
        {[t(`forge.${provider}`), ...environments, ...tags].join(" · ")}
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
        : t("webhooks.refused", { time, why: factInReadersLanguage(lastFailure, lastFailureFact) })}
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
