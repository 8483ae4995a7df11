import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { alertedBy, channelsQuery } from "../../api/channels.ts";
import { incidentsOfMonitorQuery, incidentWith } from "../../api/incidents.ts";
import { statusHistoryQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Skeleton } from "../../components/Loaded.tsx";
import { OutsideLink } from "../../components/markdown/OutsideLink.tsx";
import { type ShownStatus, StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { directionOf } from "../../i18n/direction.ts";
import { formatAgo, formatDateTime, formatDuration, formatInterval } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { monitorKinds, pageOf } from "../../kinds.ts";
import { useKind, useMonitorTexts } from "../descriptor.ts";
import { shownStatus, suppressorOf } from "../monitor-view.ts";
import { useMaintenanceWords, useStatusWords } from "../StatusText.tsx";
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

/** The time in which changes are counted (engine/status/flapping.ts). */
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
      <MonitorDetails monitor={monitor} />
    </div>
  );
}

/** "Router, which it depends on, is down as well; no notifications are sent." */
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
    return monitor.lastReason && translateMessage(monitor.lastReason, monitor.lastReasonFact);
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

/** A line below the status: since when, how often, the last check, who is notified, its incident. */
function MonitorDetails({ monitor }: { monitor: Monitor }) {
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

/** How many channels are notified of its outages, with a link to them. */
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

/** It may have one while it is up (flapping) or not healthy; of what is down, also one resolved too early. */
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

/** What people wrote of a monitor, with its addresses as links: three lines of it, and the rest when it is wanted. */
function MonitorDescription({ text }: { text: string }) {
  const { t } = useTranslation("monitors");
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const box = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || isWhole) return;
    const measure = () => setCut(current.scrollHeight > current.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWhole]);
  return (
    <div className="max-w-prose text-sm text-ink-muted">
      <p
        ref={box}
        dir={directionOf(text)}
        className={`whitespace-pre-line wrap-anywhere ${isWhole ? "" : "line-clamp-3"}`}
      >
        {partsOf(text).map(({ at, part, href }) =>
          href === null ? (
            part
          ) : (
            <OutsideLink key={at} href={href}>
              {part}
            </OutsideLink>
          ),
        )}
      </p>
      {(isCut || isWhole) && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 rounded-sm font-medium underline-offset-4 hover:text-ink hover:underline"
        >
          {t(isWhole ? "description.less" : "description.more")}
        </button>
      )}
    </div>
  );
}

/** A part of a text: an address that can be opened, or what is between two. */
interface TextPart {
  /** Where it begins in the text. */
  at: number;
  part: string;
  href: string | null;
}

/** A text in parts, by the web addresses in it. A full stop or bracket after one belongs to the sentence. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(/\bhttps?:\/\/[^\s<>"“”«»（），。；、]+/gi)) {
    const part = withoutEnding(found);
    const href = URL.parse(part)?.href;
    if (href === undefined) continue;
    if (index > from) parts.push({ at: from, part: text.slice(from, index), href: null });
    parts.push({ at: index, part, href });
    from = index + part.length;
  }
  if (from < text.length) parts.push({ at: from, part: text.slice(from), href: null });
  return parts;
}

/** A bracket that was opened in an address stays in it. */
function withoutEnding(found: string): string {
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    const isOpened =
      last === ")" && found.slice(0, end).split("(").length >= found.slice(0, end).split(")").length;
    if (!".,;:!?'*)]}".includes(last) || isOpened) break;
  }
  return found.slice(0, end);
}
