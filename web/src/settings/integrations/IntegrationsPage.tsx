import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Unlink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Integration,
  integrationsQuery,
  type ProviderInfo,
  providersQuery,
  useUnlinkAccount,
} from "../../api/integrations.ts";
import { useHasExpertPlan } from "../../api/organization.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { Failure, Loaded, RefusedByPlan } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import type { Column } from "../../components/Table.tsx";
import { StateTable } from "../SettingRow.tsx";
import { AccountState } from "./AccountState.tsx";
import { DeploymentsSection } from "./DeploymentsSection.tsx";
import type english from "./en.json";
import { LinkDialog } from "./LinkDialog.tsx";
import { WebhooksSection } from "./WebhooksSection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/integrations": typeof english;
  }
}

export function IntegrationsPage() {
  const { t } = useTranslation("settings/integrations");
  usePageTitle(t("title"));
  // All that is here would say so by itself, and offer what is refused.
  if (!useHasExpertPlan()) return <RefusedByPlan />;
  return (
    <div className="grid gap-6">
      <p className="text-pretty text-ink-muted">{t("text")}</p>
      <AccountsSection />
      <WebhooksSection />
      <DeploymentsSection />
    </div>
  );
}

function AccountsSection() {
  const { t } = useTranslation("settings/integrations");
  const query = useQuery(integrationsQuery);
  const providers = useQuery(providersQuery);
  const canWrite = useMayWrite();
  const [linking, setLinking] = useState<ProviderInfo | null>(null);
  const [unlinking, setUnlinking] = useState<Integration | null>(null);
  return (
    <Section
      title={t("accounts.title")}
      trailing={
        canWrite && (
          <div className="flex flex-wrap gap-2">
            {providers.data?.map((one) => (
              <Button key={one.provider} variant="quiet" onClick={() => setLinking(one)} data-link-account>
                <Plus aria-hidden className="-ml-0.5 size-4" />
                {t(`provider.${one.provider}`)}
              </Button>
            ))}
          </div>
        )
      }
    >
      {canWrite && providers.error && !providers.data && (
        <Failure
          title={t("accounts.providersFailed")}
          error={providers.error}
          busy={providers.isFetching}
          onRetry={() => void providers.refetch()}
        />
      )}
      <Loaded
        of={query}
        failed={t("accounts.failed")}
        loading={<AccountList accounts={undefined} />}
        empty={t(canWrite ? "accounts.empty" : "accounts.emptyReadOnly")}
      >
        {(accounts) => <AccountList accounts={accounts} {...(canWrite && { onUnlink: setUnlinking })} />}
      </Loaded>
      {linking && <LinkDialog provider={linking} account={null} onClose={() => setLinking(null)} />}
      {unlinking && <UnlinkDialog account={unlinking} onDone={() => setUnlinking(null)} />}
    </Section>
  );
}

interface UnlinkDialogProps {
  account: Integration;
  onDone: () => void;
}

function UnlinkDialog({ account: { id, name, provider }, onDone }: UnlinkDialogProps) {
  const { t } = useTranslation("settings/integrations");
  const words = {
    title: t("unlink.title", { name }),
    text: t("unlink.text"),
    done: t("unlink.done", { name }),
    submit: t("unlink.submit"),
  };
  const deletion = useUnlinkAccount(provider);
  return <DeleteDialog id={id} words={words} deletion={deletion} focusInstead={focusPage} onDone={onDone} />;
}

interface AccountListProps {
  /** Undefined while they are on their way. */
  accounts: Integration[] | undefined;
  /** Undefined: the reader may not. */
  onUnlink?: (account: Integration) => void;
}

/** One account a row: whose, what of it is monitored, and whether it can be read. */
function AccountList({ accounts, onUnlink }: AccountListProps) {
  const { t } = useTranslation("settings/integrations");
  const monitored: Column<Integration> = {
    id: "resources",
    head: t("accounts.monitored"),
    cell: ({ syncedAt, monitored, resources }) =>
      syncedAt === null ? "–" : t("accounts.of", { monitored, resources }),
    wide: true,
    width: "w-28",
    className: "text-ink-muted tabular-nums",
  };
  const note = (account: Integration) => (
    <span className="grid gap-0.5">
      {account.syncedAt !== null && (
        <span className="text-ink-muted tabular-nums">
          {t("accounts.monitoredOf", { monitored: account.monitored, resources: account.resources })}
        </span>
      )}
      <AccountState account={account} />
    </span>
  );
  const actions = (account: Integration) => (
    <IconButton label={t("unlink.label", { name: account.name })} onClick={() => onUnlink?.(account)}>
      <Unlink aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <StateTable
      rows={accounts}
      heads={{ name: t("name"), state: t("state") }}
      name={(account) => <AccountName account={account} />}
      state={(account) => <AccountState account={account} />}
      between={[monitored]}
      note={note}
      actions={onUnlink && actions}
    />
  );
}

function AccountName({ account: { id, provider, name, account, target } }: { account: Integration }) {
  const { t } = useTranslation("settings/integrations");
  return (
    <>
      <Link
        to="/settings/integrations/$provider/$id"
        params={{ provider, id: String(id) }}
        className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
      >
        {name}
      </Link>
      <div className="truncate text-xs text-ink-faint">
        {[t(`provider.${provider}`), account, target].filter((text) => text !== name).join(" · ")}
      </div>
    </>
  );
}
