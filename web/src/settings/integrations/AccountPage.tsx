import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import {
  type Integration,
  integrationQuery,
  type Provider,
  providerPaths,
  providersQuery,
  useSyncAccount,
} from "../../api/integrations.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { translateMessage } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";
import { IntegrationBar, LastRead } from "./AccountState.tsx";
import { LinkDialog } from "./LinkDialog.tsx";
import { ResourcesSection } from "./ResourcesSection.tsx";

const isProvider = (name: string): name is Provider => Object.hasOwn(providerPaths, name);

export function AccountPage() {
  const { t } = useTranslation("settings/integrations");
  const { provider = "", id = "" } = useParams({ strict: false });
  const known = isProvider(provider) ? provider : "azure";
  // An unknown provider has no accounts: the number is invalid.
  const query = useQuery(integrationQuery(known, isProvider(provider) ? Number(id) : 0));
  usePageTitle(query.data?.name ?? t("title"));
  return (
    <>
      <IntegrationBar title={query.data?.name ?? ""} />
      <Loaded
        of={query}
        failed={t("account.failed")}
        gone={<p className="text-ink-muted">{t("account.gone")}</p>}
        loading={<Skeleton className="h-64 w-full" />}
      >
        {(account) => <AccountView account={account} />}
      </Loaded>
    </>
  );
}

const adviceFor = ({ state, syncedAt }: Integration) =>
  state === "relink" ? "relinkText" : syncedAt === null ? "failingUnreadText" : "failingText";

function AccountView({ account }: { account: Integration }) {
  const { t } = useTranslation("settings/integrations");
  const canWrite = useMayWrite();
  const syncing = useSyncAccount(account.provider);
  const sync = () =>
    syncing.mutate(
      { id: account.id },
      {
        onSuccess: () => showToast("success", t("account.syncing")),
        onError: (error) => showToast("error", sentencesOf(error).join(" ")),
      },
    );
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 text-sm">
          <p className="wrap-anywhere">
            {[t(`provider.${account.provider}`), account.account, account.target].join(" · ")}
          </p>
          {(account.state === "ok" || account.syncedAt !== null) && (
            <p className="mt-0.5">
              <LastRead account={account} />
            </p>
          )}
        </div>
        {canWrite && (
          <div className="flex flex-wrap gap-2">
            <LinkAgain account={account} />
            <Button variant="quiet" busy={syncing.isPending} onClick={sync}>
              <RefreshCw aria-hidden className="size-4" />
              {t("account.sync")}
            </Button>
          </div>
        )}
      </div>
      {account.state !== "ok" && account.failure !== null && (
        <Callout tone={account.state === "relink" ? "error" : "info"}>
          <p className="wrap-anywhere">{translateMessage(account.failure, account.failureFact)}</p>
          <p className="mt-1">{t(`account.${adviceFor(account)}`)}</p>
        </Callout>
      )}
      <ResourcesSection account={account} canWrite={canWrite} />
    </div>
  );
}

function LinkAgain({ account }: { account: Integration }) {
  const { t } = useTranslation("settings/integrations");
  const providers = useQuery(providersQuery);
  const [linking, setLinking] = useState(false);
  const info = providers.data?.find((one) => one.provider === account.provider);
  const begin = async () => {
    const { data, error } = providers.data ? providers : await providers.refetch();
    if (data) setLinking(true);
    else if (error) showToast("error", `${t("accounts.providersFailed")} ${sentencesOf(error).join(" ")}`);
  };
  return (
    <>
      <Button variant="quiet" onClick={() => void begin()}>
        {t("link.again")}
      </Button>
      {linking && info && <LinkDialog provider={info} account={account} onClose={() => setLinking(false)} />}
    </>
  );
}
