import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { alertedBy, channelsQuery } from "../../api/channels.ts";
import { incidentsOfMonitorQuery, incidentWith } from "../../api/incidents.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDateTime, formatInterval } from "../../i18n/format.ts";
import { useKind, useMonitorTexts } from "../use-kind.ts";

/** What is known of a monitor beside its status, in a line: since when, how often, the last check, who is told, its incident. */
export function MonitorFacts({ monitor }: { monitor: Monitor }) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const now = useNow();
  const { statusSince, lastCheck, lastReason, checkInterval } = monitor;
  const ago = lastCheck && formatAgo(now - Date.parse(lastCheck), i18n.language);
  const checked = ago ? t(lastReason === null ? "lastCheck" : "lastFailed", { ago }) : t("noCheck");
  const exactly = lastCheck === null ? undefined : formatDateTime(lastCheck, i18n.language);
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 pl-4.5 text-sm text-ink-muted tabular-nums">
      {statusSince && <li>{t("since", { date: formatDateTime(statusSince, i18n.language) })}</li>}
      <li>{t("every", { interval: formatInterval(checkInterval, i18n.language) })}</li>
      <li title={exactly}>{checked}</li>
      <Alerts monitor={monitor} />
      <OutageIncident monitor={monitor} />
    </ul>
  );
}

const linkLook = "rounded-sm underline underline-offset-4 hover:text-ink";

/** The room of what is on its way, so that nothing moves when it comes. */
const Awaited = ({ children }: { children: string }) => (
  <li aria-hidden className="invisible">
    {children}
  </li>
);

/** How many channels are told of its outages, with the way to them. */
function Alerts({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation("monitors");
  const { id: kind } = useKind();
  const { data, isLoading } = useQuery(channelsQuery);
  if (!data) return isLoading && <Awaited>{t("alertsNone")}</Awaited>;
  const count = alertedBy(data, { kind, ...monitor }).length;
  return (
    <li>
      <Link to="/settings/channels" className={linkLook}>
        {count === 0 ? t("alertsNone") : t("alerts", { count })}
      </Link>
    </li>
  );
}

/**
 * The way to the incident that is open for it, which it may be while the monitor is up (a flapping one) or not healthy; of what is
 * down, also to one that somebody resolved too early.
 */
function OutageIncident({ monitor: { id, state, flapping } }: { monitor: Monitor }) {
  const { t } = useTranslation("monitors");
  const { data, isLoading } = useQuery(incidentsOfMonitorQuery(id));
  const now = useNow();
  const ofOutage = incidentWith(data, id, { fromMs: now, toMs: null });
  const open = data?.find(({ resolvedAt }) => resolvedAt === null);
  const incident = (state === "down" || ofOutage?.resolvedAt === null ? ofOutage : null) ?? open;
  const isLikely = state === "down" || state === "degraded" || flapping;
  if (!incident) return isLoading && isLikely && <Awaited>{t("openIncident")}</Awaited>;
  return (
    <li>
      <Link to="/incidents/$id" params={{ id: String(incident.id) }} className={linkLook}>
        {t(incident.resolvedAt === null ? "openIncident" : "resolvedIncident")}
      </Link>
    </li>
  );
}
