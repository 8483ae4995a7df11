import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../api/monitor-list.ts";
import { type ShownStatus, statusInk } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatDateTime, formatDuration, hasJustBegun } from "../i18n/format.ts";
import { factInReadersLanguage } from "../i18n/i18n.ts";
import { suppressorOf } from "./monitor-view.ts";
import { useMonitorTexts } from "./use-kind.ts";

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
  const strong = isTrouble(status) ? "font-medium" : "";
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

const isTrouble = (status: ShownStatus) =>
  status === "down" || status === "degraded" || status === "flapping";

/** How long it has been so says nothing. */
const isTimeless = (status: ShownStatus) =>
  status === "waiting" || status === "confirming" || status === "paused" || status === "flapping";

const reasonOf = ({ lastReason, lastReasonFact }: Monitor, status: ShownStatus) =>
  isTrouble(status) && lastReason !== null ? factInReadersLanguage(lastReason, lastReasonFact) : null;

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
  // A device's health has two levels, which its state does not tell apart.
  const context = monitor.lastReasonFact?.params?.["level"];
  const word = t(`status.${status}`, { name: monitor.name, context });
  if (isTimeless(status) || monitor.statusSince === null) return word;
  const durationMs = now - Date.parse(monitor.statusSince);
  // "No recent check for a few seconds" would say nothing.
  if (status === "unknown" && hasJustBegun(durationMs)) return word;
  if (hasJustBegun(durationMs)) return t("status.now", { status: word });
  return t("status.since", { status: word, duration: formatDuration(durationMs, i18n.language) });
}
