import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Device } from "../api/devices.ts";
import type { Incident } from "../api/incidents.ts";
import type { Domain, Monitor, Service } from "../api/monitor-list.ts";
import { problemsShown } from "../api/overview.ts";
import { Section } from "../components/Card.tsx";
import { StatusDot, statusInk } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatDateTime } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import type { MonitorKind } from "../kinds.ts";
import { KindProvider } from "../monitors/descriptor.ts";
import { shortUrl, suppressorOf } from "../monitors/monitor-view.ts";
import { useMaintenanceWords, useStatusWords } from "../monitors/StatusText.tsx";
import { Target } from "../monitors/service/Target.tsx";
import { attendedLast, mergePages } from "./condition.ts";
import type { KindCondition } from "./use-overview.ts";

/** Shown under a monitor's name; nothing where it would say the same. */
interface Addresses {
  domain(domain: Monitor): ReactNode;
  service(service: Monitor): ReactNode;
  device(device: Monitor): ReactNode;
}
const addresses: Addresses = {
  domain: ({ url, name }: Domain) =>
    shortUrl(url) !== name && <div className="truncate text-xs text-ink-faint">{shortUrl(url)}</div>,
  service: (service: Service) => <Target service={service} where="text" />,
  device: ({ hostname, name }: Device) =>
    hostname && hostname !== name && <bdi className="block truncate text-xs text-ink-faint">{hostname}</bdi>,
};

interface ProblemsCardProps {
  state: "down" | "degraded";
  kinds: readonly KindCondition[];
  acknowledged: readonly Incident[];
}

/** Each with the reason and since when, unacknowledged ones first; nothing while there is none. */
export function ProblemsCard({ state, kinds, acknowledged }: ProblemsCardProps) {
  const { t } = useTranslation(["overview", "monitors"]);
  const all = mergePages(
    kinds.map(({ kind, [state]: { monitors, total } }) => ({
      total,
      monitors: monitors.map((monitor) => ({ ...monitor, kind })),
    })),
  );
  if (all.total === 0) return null;
  const rows = attendedLast(all.monitors, acknowledged).slice(0, problemsShown[state]);
  const shownOf = (id: MonitorKind["id"]) => rows.filter(({ monitor }) => monitor.kind.id === id).length;
  return (
    <Section title={t(`problems.${state}`)}>
      <ul>
        {rows.map(({ monitor, ...care }) => (
          <KindProvider key={`${monitor.kind.id}-${monitor.id}`} value={monitor.kind}>
            <ProblemRow monitor={monitor} kind={monitor.kind} state={state} {...care} />
          </KindProvider>
        ))}
      </ul>
      {kinds
        .filter(({ kind, [state]: { total } }) => total > shownOf(kind.id))
        .map(({ kind, [state]: { total } }) => (
          <p key={kind.id} className="border-t border-line px-4 py-2.5 text-sm">
            <Link
              to={kind.pages.list}
              search={{ show: state }}
              className="rounded-sm font-medium underline-offset-4 hover:underline"
            >
              {t(`problems.all.${kind.id}`, { count: total })}
            </Link>
          </p>
        ))}
    </Section>
  );
}

interface ProblemRowProps extends Pick<ProblemsCardProps, "state"> {
  monitor: Monitor;
  kind: MonitorKind;
  /** Acknowledged, or without notifications: it is shown less prominently. */
  isAttended: boolean;
  acknowledgement: Incident | undefined;
}

function ProblemRow({ monitor, kind, state, isAttended, acknowledgement }: ProblemRowProps) {
  const { t, i18n } = useTranslation(["overview", "monitors"]);
  const words = useStatusWords(monitor, state);
  const { id, name, statusSince, lastReason, lastReasonFact, flapping } = monitor;
  const isAlarming = state === "down" && !isAttended;
  return (
    <li
      data-problem={state}
      data-attended={isAttended || undefined}
      className={`relative flex gap-3 border-t border-line px-4 py-3 transition-colors last:rounded-b-lg ${isAlarming ? "bg-down-soft/45 hover:bg-down-soft" : "hover:bg-hover"}`}
    >
      <StatusDot status={state} plain={isAttended} className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link
            to={kind.pages.one}
            params={{ id: String(id) }}
            dir="auto"
            className="min-w-0 truncate rounded-sm font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
          >
            {name}
          </Link>
          <span
            title={statusSince ? formatDateTime(statusSince, i18n.language) : undefined}
            className={`relative text-sm tabular-nums ${isAttended ? "text-ink-muted" : `font-medium ${statusInk[state]}`}`}
          >
            {words}
          </span>
        </div>
        <Care monitor={monitor} acknowledgement={acknowledgement} />
        {addresses[kind.id](monitor)}
        {lastReason && (
          <p
            dir="auto"
            className={`mt-1 text-sm text-pretty wrap-anywhere ${isAttended ? "text-ink-muted" : ""}`}
          >
            {translateMessage(lastReason, lastReasonFact)}
          </p>
        )}
        {flapping && <p className="mt-1 text-sm text-pretty text-ink-muted">{t("monitors:flappingText")}</p>}
      </div>
    </li>
  );
}

/** Who acknowledged it and when, and why no notifications are sent; nothing while it is unacknowledged. */
function Care({ monitor, acknowledgement }: Pick<ProblemRowProps, "monitor" | "acknowledgement">) {
  const { t, i18n } = useTranslation(["overview", "monitors"]);
  const now = useNow();
  const maintenance = useMaintenanceWords(monitor);
  const parent = suppressorOf(monitor);
  const { acknowledgedAt = null, acknowledgedByName } = acknowledgement ?? {};
  const acknowledged =
    acknowledgedAt !== null &&
    t("problems.acknowledged", {
      name: acknowledgedByName ?? t("problems.someone"),
      time: formatClock(Date.parse(acknowledgedAt), now, i18n.language),
    });
  const behind = parent && t("monitors:suppressed", { name: parent.name });
  return [acknowledged, maintenance, behind].map(
    (sentence) =>
      sentence && (
        <p key={sentence} className="text-sm text-pretty wrap-anywhere">
          {sentence}
        </p>
      ),
  );
}
