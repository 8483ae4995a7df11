import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Domain } from "../../api/domains.ts";
import { type ShownStatus, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatDuration } from "../../format.ts";
import { inReadersLanguage } from "../../i18n/i18n.ts";

/** "Down for 4 minutes", and under it why. */
export function StatusText({
  domain,
  status,
  aside,
}: {
  domain: Domain;
  status: ShownStatus;
  /** Beside the first line, at its right. */
  aside?: ReactNode;
}) {
  const { i18n } = useTranslation();
  const words = useStatusWords(domain, status);
  const troubled = status === "down" || status === "degraded";
  const reason = troubled && domain.lastReason ? inReadersLanguage(domain.lastReason) : null;
  const since = domain.statusSince === null ? undefined : formatDateTime(domain.statusSince, i18n.language);
  const strong = troubled ? "font-medium" : "";
  return (
    <>
      <div className="flex items-baseline gap-3">
        <div title={since} className={`min-w-0 flex-1 truncate leading-5 ${statusInk[status]} ${strong}`}>
          {words}
        </div>
        {aside}
      </div>
      {reason && (
        <div title={reason} className="truncate text-xs text-ink-faint">
          {reason}
        </div>
      )}
    </>
  );
}

/** "Down for 4 minutes". */
export function useStatusWords(domain: Domain, status: ShownStatus): string {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const word = t(`domains.status.${status}`);
  if (status === "waiting" || status === "paused" || domain.statusSince === null) return word;
  const durationMs = now - Date.parse(domain.statusSince);
  if (durationMs < 60_000) return t("domains.status.now", { status: word });
  return t("domains.status.since", { status: word, duration: formatDuration(durationMs, i18n.language) });
}
