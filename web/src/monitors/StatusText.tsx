import { ExternalLink } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../api/monitor-list.ts";
import { type ShownStatus, statusInk } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import {
  formatClock,
  formatDate,
  formatDateTime,
  formatDays,
  formatDuration,
  hasJustBegun,
} from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { useMonitorTexts } from "./descriptor.ts";
import { shortUrl, suppressorOf } from "./monitor-view.ts";

interface StatusTextProps {
  monitor: Monitor;
  status: ShownStatus;
  /** There is only this column, and the row may grow. */
  isCompact?: boolean;
}

/** "Down for 4 minutes", and under it why, in two lines at most, or four where it is narrow. */
export function StatusText({ monitor, status, isCompact = false }: StatusTextProps) {
  const { t } = useTranslation("monitors");
  const words = useStatusWords(monitor, status);
  const reason = reasonOf(monitor, status);
  const maintenance = useMaintenanceWords(monitor);
  const parent = suppressorOf(monitor);
  // A row of the list has room for three lines below the words.
  const clamp = isCompact ? "line-clamp-4" : `leading-3.5 ${parent ? "line-clamp-1" : "line-clamp-2"}`;
  const strong = isProblem(status) ? "font-medium" : "";
  return (
    <>
      <div className={`truncate leading-5 ${statusInk[status]} ${strong}`}>{words}</div>
      {maintenance && <div className="truncate text-xs text-ink-muted">{maintenance}</div>}
      {parent && (
        <div className="truncate text-xs text-ink-muted" title={t("suppressedText")}>
          {t("suppressed", { name: parent.name })}
        </div>
      )}
      {reason && (
        <div dir="auto" className={`text-xs break-words text-ink-faint ${clamp}`}>
          {reason}
        </div>
      )}
    </>
  );
}

const isProblem = (status: ShownStatus) =>
  status === "down" || status === "degraded" || status === "flapping";

/** How long it has been so says nothing. */
const isTimeless = (status: ShownStatus) =>
  status === "waiting" || status === "confirming" || status === "paused" || status === "flapping";

const reasonOf = ({ lastReason, lastReasonFact }: Monitor, status: ShownStatus) =>
  isProblem(status) && lastReason !== null ? translateMessage(lastReason, lastReasonFact) : null;

/** The reason whole, and since when: what StatusText has no room for. */
export function useStatusDetails(): (monitor: Monitor, status: ShownStatus) => string {
  const { t, i18n } = useTranslation("monitors");
  const { language } = i18n;
  return useCallback(
    (monitor, status) => {
      const { statusSince } = monitor;
      const since = statusSince && t("since", { date: formatDateTime(statusSince, language) });
      return [reasonOf(monitor, status), since].filter(Boolean).join("\n");
    },
    [t, language],
  );
}

/** "Maintenance until 14:00"; null where there is none. */
export function useMaintenanceWords({ maintenanceUntil }: Monitor): string | null {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  if (maintenanceUntil === null) return null;
  return t("maintenanceUntil", { time: formatClock(Date.parse(maintenanceUntil), now, i18n.language) });
}

/** "Down for 4 minutes". */
export function useStatusWords(monitor: Monitor, status: ShownStatus): string {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const now = useNow();
  // A device's health has two levels, which its state does not distinguish.
  const context = monitor.lastReasonFact?.params?.["level"];
  const word = t(`status.${status}`, { name: monitor.name, context });
  if (isTimeless(status) || monitor.statusSince === null) return word;
  const durationMs = now - Date.parse(monitor.statusSince);
  // "No recent check for a few seconds" would say nothing.
  if (status === "unknown" && hasJustBegun(durationMs)) return word;
  if (hasJustBegun(durationMs)) return t("status.now", { status: word });
  return t("status.since", { status: word, duration: formatDuration(durationMs, i18n.language) });
}

/** How long the certificate is valid, or what is wrong with it; neutral where it is accepted as it is. */
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

/** A link out of the app to the site that is watched; `inList`: above the row's own link, its mark only when pointed at. */
export function SiteLink({ url, inList = false }: { url: string; inList?: boolean }) {
  const { t } = useTranslation("monitors");
  const look = inList ? "relative z-1 text-xs text-ink-faint" : "text-sm text-ink-muted";
  const mark = inList ? "opacity-0 group-hover:opacity-100" : "text-ink-faint group-hover:text-ink";
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={t("openSite", { url })}
      className={`group flex w-fit max-w-full min-w-0 items-center gap-1 rounded-sm hover:text-ink ${look}`}
    >
      <span className="truncate">{shortUrl(url)}</span>
      <ExternalLink aria-hidden className={`size-3 shrink-0 ${mark}`} />
    </a>
  );
}
