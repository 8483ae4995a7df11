import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { useNow } from "../../components/use-now.ts";
import { formatDate, formatDays } from "../../i18n/format.ts";

/** How long the certificate lasts, or what is wrong with it; calm where somebody accepts it as it is. */
export function CertificateText({ monitor }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  const { certificateStatus: status, certificateExpiresAt: expiresAt, certificateUnverified } = monitor;
  if (status === "none") {
    return (
      <span className="relative text-ink-faint" title={t("certificate.cell.none")}>
        –
      </span>
    );
  }
  const title =
    expiresAt === null
      ? undefined
      : t("certificate.cell.expiresOn", { date: formatDate(expiresAt, i18n.language) });
  const isAccepted = certificateUnverified && status !== "expired";
  if (status === "expired" || expiresAt === null || (status === "invalid" && !isAccepted)) {
    return (
      <span className="relative font-medium text-down-ink" title={title}>
        {t(status === "expired" ? "certificate.cell.expired" : "certificate.invalid")}
      </span>
    );
  }
  const ink = status === "expiring_soon" && !isAccepted ? "font-medium text-warn-ink" : "text-ink-muted";
  const duration = formatDays(Date.parse(expiresAt) - now, i18n.language);
  return (
    <span className={`relative inline-flex flex-col items-end tabular-nums ${ink}`} title={title}>
      {t("certificate.cell.days", { duration })}
      {isAccepted && <span className="text-xs text-ink-faint">{t("certificate.cell.unverified")}</span>}
    </span>
  );
}
