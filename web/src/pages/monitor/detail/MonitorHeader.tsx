import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { Skeleton } from "../../../components/Skeleton.tsx";
import { type ShownStatus, StatusDot, statusInk } from "../../../components/StatusDot.tsx";
import { useNow } from "../../../components/use-now.ts";
import { formatAgo, formatDateTime, formatInterval } from "../../../format.ts";
import { factInReadersLanguage } from "../../../i18n/i18n.ts";
import { useMonitorTexts } from "../../../kinds/use-kind.ts";
import { shownStatus } from "../monitor-view.ts";
import { useStatusWords } from "../StatusText.tsx";
import { MonitorActions } from "./MonitorActions.tsx";

/** Which monitor, its status in words with the reason, and what can be done about it. */
export function MonitorHeader({ monitor, address }: { monitor: Monitor; address: ReactNode }) {
  const status = shownStatus(monitor);
  return (
    <header className="mt-3 mb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold break-words">{monitor.name}</h1>
          {address}
        </div>
        <MonitorActions monitor={monitor} />
      </div>
      <StatusPanel monitor={monitor} status={status} />
    </header>
  );
}

const panels: Partial<Record<ShownStatus, string>> = {
  down: "border-transparent bg-down-soft",
  degraded: "border-transparent bg-warn-soft",
};

function StatusPanel({ monitor, status }: { monitor: Monitor; status: ShownStatus }) {
  const { t } = useTranslation("monitor");
  const words = useStatusWords(monitor, status);
  const reason = useReason(monitor, status);
  const ink = status === "up" ? "text-up-ink" : statusInk[status];
  return (
    <div
      data-status={status}
      className={`mt-4 rounded-lg border px-4 py-3.5 shadow-card transition-colors duration-300 ${panels[status] ?? "border-line bg-surface"}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <p role="status" className={`flex items-baseline gap-2.5 text-lg font-semibold ${ink}`}>
          <StatusDot status={status} plain className="relative -top-px" />
          {words}
        </p>
        {monitor.flapping && (
          <span
            title={t("flappingText")}
            className="rounded-full bg-warn-soft px-2 py-px text-xs font-medium text-warn-ink"
          >
            {t("flapping")}
          </span>
        )}
      </div>
      {reason && <p className="mt-1 pl-4.5 text-pretty break-words">{reason}</p>}
      {monitor.flapping && (
        <p className="mt-1 pl-4.5 text-sm text-pretty text-ink-muted">{t("flappingText")}</p>
      )}
      <Facts monitor={monitor} />
    </div>
  );
}

/** Why it is what it is; nothing for a monitor that is simply up. */
function useReason(monitor: Monitor, status: ShownStatus): string | null {
  const t = useMonitorTexts(monitor);
  if (status === "down" || status === "degraded") {
    return monitor.lastReason && factInReadersLanguage(monitor.lastReason, monitor.lastReasonFact);
  }
  return status === "up" ? null : t(`why.${status}`);
}

function Facts({ monitor }: { monitor: Monitor }) {
  const { i18n } = useTranslation("monitor");
  const t = useMonitorTexts(monitor);
  const now = useNow();
  const { statusSince, lastCheck, lastReason, checkInterval } = monitor;
  const ago = lastCheck && formatAgo(now - Date.parse(lastCheck), i18n.language);
  const facts = [
    statusSince && t("since", { date: formatDateTime(statusSince, i18n.language) }),
    t("every", { interval: formatInterval(checkInterval, i18n.language) }),
    ago ? t(lastReason === null ? "lastCheck" : "lastFailed", { ago }) : t("noCheck"),
  ];
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 pl-4.5 text-sm text-ink-muted tabular-nums">
      {facts.filter(Boolean).map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}

/** The header's shape while even the name is on its way. */
export function MonitorHeaderSkeleton() {
  return (
    <div className="mt-3 mb-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <div className="flex h-7 items-center">
            <Skeleton className="h-4 w-40" />
          </div>
          <div className="flex h-5 items-center">
            <Skeleton className="h-3 w-56" />
          </div>
        </div>
        <Skeleton className="h-9 w-64 rounded-md" />
      </div>
      <div className="mt-4 rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card">
        <div className="flex h-6 items-center">
          <Skeleton className="h-3.5 w-36" />
        </div>
        <div className="mt-1 flex h-5 items-center max-sm:h-10">
          <Skeleton className="h-3 w-60" />
        </div>
      </div>
    </div>
  );
}
