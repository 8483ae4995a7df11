import { useTranslation } from "react-i18next";
import type { Integration } from "../../api/integrations.ts";
import { PageBar } from "../../components/PageBar.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";

/** When an account was read last, or why it could not be. */
export function AccountState({ account }: { account: Integration }) {
  const { state, failure, failureFact } = account;
  if (state !== "ok" && failure !== null) {
    return (
      <span className={`wrap-anywhere ${state === "relink" ? "text-down-ink" : "text-warn-ink"}`}>
        {translateMessage(failure, failureFact)}
      </span>
    );
  }
  return <LastRead account={account} />;
}

/** When an account was read last, whatever became of it since. */
export function LastRead({ account: { syncedAt } }: { account: Integration }) {
  const { t, i18n } = useTranslation("settings/integrations");
  const now = useNow();
  if (syncedAt === null) return <span className="text-ink-muted">{t("accounts.waiting")}</span>;
  return (
    <span title={formatDateTime(syncedAt, i18n.language)} className="text-ink-muted">
      {t("accounts.read", { time: formatMoment(syncedAt, now, i18n.language) })}
    </span>
  );
}

/** The bar of a page that is opened from the list of integrations, with the way back to it. */
export function IntegrationBar({ title }: { title: string }) {
  const { t } = useTranslation(["settings/integrations", "settings"]);
  const crumbs = [
    { label: t("settings:title"), to: "/settings" as const },
    { label: t("title"), to: "/settings/integrations" as const },
  ];
  return <PageBar heading crumbs={crumbs} title={title} />;
}
