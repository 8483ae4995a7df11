import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { statusHistoryQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Skeleton } from "../../components/Skeleton.tsx";
import { type ShownStatus, StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { directionOf } from "../../i18n/direction.ts";
import { formatDuration } from "../../i18n/format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { monitorKinds, pageOf } from "../../kinds.ts";
import { shownStatus, suppressorOf } from "../monitor-view.ts";
import { useMaintenanceWords, useStatusWords } from "../StatusText.tsx";
import { useKind, useMonitorTexts } from "../use-kind.ts";
import { MonitorDescription } from "./MonitorDescription.tsx";
import { MonitorFacts } from "./MonitorFacts.tsx";
import { changesSince } from "./status-periods.ts";

interface MonitorHeaderProps {
  monitor: Monitor;
  address: ReactNode;
  /** Undefined until its detail has come. */
  description: string | undefined;
}

/** Which monitor, its status in words with the reason, and what can be done about it. */
export function MonitorHeader({ monitor, address, description }: MonitorHeaderProps) {
  const status = shownStatus(monitor);
  return (
    <header className="mb-5 grid gap-y-4">
      <div className="min-w-0">
        <h1 dir={directionOf(monitor.name)} className="w-fit text-xl font-semibold wrap-anywhere">
          {monitor.name}
        </h1>
        {address}
      </div>
      <StatusPanel monitor={monitor} status={status} />
      {/* It comes with the detail: above the status it would push that down. */}
      {description && <MonitorDescription key={`${monitor.id} ${description}`} text={description} />}
    </header>
  );
}

/** The time in which changes are counted (status/flapping.ts). */
const flappingIntervals = 10;

const panels: Partial<Record<ShownStatus, string>> = {
  down: "border-transparent bg-down-soft",
  degraded: "border-transparent bg-warn-soft",
  flapping: "border-transparent bg-warn-soft",
};

function StatusPanel({ monitor, status }: { monitor: Monitor; status: ShownStatus }) {
  const { t } = useTranslation("monitors");
  const words = useStatusWords(monitor, status);
  const flapping = useFlapping(monitor);
  const maintenance = useMaintenanceWords(monitor);
  const reason = useReason(monitor, status);
  const ink = status === "up" ? "text-up-ink" : statusInk[status];
  return (
    <div
      data-status={status}
      className={`rounded-lg border px-4 py-3.5 shadow-card transition-colors duration-300 ${panels[status] ?? "border-line bg-surface"}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <p role="status" className={`flex items-baseline gap-2.5 text-lg font-semibold ${ink}`}>
          <StatusDot status={status} plain className="relative -top-px" />
          {status === "flapping" ? flapping : words}
        </p>
        {flapping !== null && status !== "flapping" && (
          <span
            title={t("flappingText")}
            className="rounded-full bg-warn-soft px-2 py-px text-xs font-medium text-warn-ink"
          >
            {flapping}
          </span>
        )}
        {maintenance !== null && (
          <Link
            to="/maintenance"
            title={t("maintenanceText")}
            className="flex items-center gap-1.5 rounded-full bg-hover px-2 py-px text-xs font-medium text-ink-muted hover:text-ink"
          >
            <Wrench aria-hidden className="size-3" />
            {maintenance}
          </Link>
        )}
      </div>
      <Suppressor monitor={monitor} />
      {reason && <p className="mt-1 pl-4.5 text-pretty wrap-anywhere">{reason}</p>}
      {monitor.flapping && (
        <p className="mt-1 pl-4.5 text-sm text-pretty text-ink-muted">{t("flappingText")}</p>
      )}
      <MonitorFacts monitor={monitor} />
    </div>
  );
}

/** "Router, which it depends on, is down as well; nobody is told of this." */
function Suppressor({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation("monitors");
  const parent = suppressorOf(monitor);
  if (!parent) return null;
  return (
    <p className="mt-1 pl-4.5 text-pretty wrap-anywhere">
      <Trans
        t={t}
        i18nKey="suppressedBy"
        values={{ name: parent.name }}
        components={{
          parent: (
            <Link
              to={pageOf(monitorKinds[parent.kind], parent.id)}
              className="rounded-sm font-medium underline underline-offset-4"
            />
          ),
        }}
      />
    </p>
  );
}

/** "Flapping: 8 changes in 10 minutes"; null for a monitor that is not. */
function useFlapping({ id, flapping, checkInterval }: Monitor): string | null {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  const kind = useKind();
  const { data } = useQuery({ ...statusHistoryQuery(kind, id), enabled: flapping });
  if (!flapping) return null;
  const windowMs = flappingIntervals * checkInterval * 1000;
  const count = data ? changesSince(data, now - windowMs) : 0;
  // It is called so until it has been stable for as long.
  if (count < 2) return t("flapping");
  return t("flappingNow", { count, duration: formatDuration(windowMs, i18n.language) });
}

/** Why it is what it is; nothing for a monitor that is simply up. */
function useReason(monitor: Monitor, status: ShownStatus): string | null {
  const t = useMonitorTexts(monitor);
  if (status === "down" || status === "degraded" || isOfMembers(monitor)) {
    return monitor.lastReason && factInReadersLanguage(monitor.lastReason, monitor.lastReasonFact);
  }
  return status === "up" || status === "flapping" ? null : t(`why.${status}`);
}

/** What is said of members is why a group is what it is, also where that is unknown. */
const isOfMembers = ({ enabled, lastReasonFact }: Monitor): boolean =>
  enabled && lastReasonFact?.code.startsWith("members.") === true;

/** The header's shape while even the name is on its way. */
export function MonitorHeaderSkeleton() {
  return (
    <div className="mb-5 grid gap-y-4">
      <div>
        <div className="flex h-7 items-center">
          <Skeleton className="h-4 w-40" />
        </div>
        <div className="flex h-5 items-center">
          <Skeleton className="h-3 w-56" />
        </div>
      </div>
      <div className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card">
        <div className="flex h-6 items-center">
          <Skeleton className="h-3.5 w-36" />
        </div>
        <div className="mt-1 flex h-5 items-center max-sm:h-15">
          <Skeleton className="h-3 w-60" />
        </div>
      </div>
    </div>
  );
}
