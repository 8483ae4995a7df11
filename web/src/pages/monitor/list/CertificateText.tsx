import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { useNow } from "../../../components/use-now.ts";
import { formatDate, formatDays } from "../../../format.ts";

/** How long the certificate lasts, or what is wrong with it. */
export function CertificateText({ monitor }: { monitor: Monitor }) {
  const { t, i18n } = useTranslation("monitor");
  const now = useNow();
  const { certificateStatus: status, certificateExpiresAt: expiresAt } = monitor;
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
  if (status === "expired" || status === "invalid" || expiresAt === null) {
    return (
      <span className="relative font-medium text-down-ink" title={title}>
        {t(status === "expired" ? "certificate.cell.expired" : "certificate.invalid")}
      </span>
    );
  }
  const ink = status === "expiring_soon" ? "font-medium text-warn-ink" : "text-ink-muted";
  const duration = formatDays(Date.parse(expiresAt) - now, i18n.language);
  return (
    <span className={`relative tabular-nums ${ink}`} title={title}>
      {t("certificate.cell.days", { duration })}
    </span>
  );
}
