import { useTranslation } from "react-i18next";
import type { Domain } from "../../api/domains.ts";
import { useNow } from "../../components/use-now.ts";
import { formatDate, formatDays } from "../../format.ts";

/** How long the certificate lasts, or what is wrong with it. */
export function CertificateText({ domain }: { domain: Domain }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { certificate } = domain;
  if (!certificate || certificate.status === "none") {
    return (
      <span className="text-ink-faint" title={t("domains.certificate.none")}>
        –
      </span>
    );
  }
  const date = certificate.expiresAt ? formatDate(certificate.expiresAt, i18n.language) : null;
  const { issuer } = certificate;
  const title = date
    ? issuer
      ? t("domains.certificate.expiresOn", { date, issuer })
      : t("domains.certificate.expiresOnShort", { date })
    : undefined;
  if (certificate.status === "expired" || certificate.status === "invalid") {
    return (
      <span className="font-medium text-down-ink" title={title}>
        {t(`domains.certificate.${certificate.status}`)}
      </span>
    );
  }
  const remainingMs = certificate.expiresAt ? Date.parse(certificate.expiresAt) - now : 0;
  const soon = certificate.status === "expiring_soon";
  return (
    <span className={`tabular-nums ${soon ? "font-medium text-warn-ink" : "text-ink-muted"}`} title={title}>
      {t("domains.certificate.days", { duration: formatDays(remainingMs, i18n.language) })}
    </span>
  );
}
