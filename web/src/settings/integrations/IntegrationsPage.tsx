import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Integration,
  integrationsQuery,
  type ProviderInfo,
  providersQuery,
} from "../../api/integrations.ts";
import { useHasExpertPlan } from "../../api/plans.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Failure, Loaded, RefusedByPlan } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { AccountList } from "./AccountList.tsx";
import { DeploymentsSection } from "./DeploymentsSection.tsx";
import type english from "./en.json";
import { LinkDialog } from "./LinkDialog.tsx";
import { UnlinkDialog } from "./UnlinkDialog.tsx";
import { WebhooksSection } from "./WebhooksSection.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "settings/integrations": typeof english;
  }
}

/** Accounts at other systems, and where deployments are told. */
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
      aside={
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
