import type { QueryClient } from "@tanstack/react-query";
import type { LiveEventType } from "../../../server/src/platform/live-events.ts";
import { i18n } from "../i18n/i18n.ts";
import { type KindId, kindOf, monitorKinds } from "../kinds.ts";
import { showToast } from "../toasts.ts";
import { channelsQuery } from "./channels.ts";
import { deploymentsKey } from "./deployments.ts";
import type { MonitorsChangedEvent, NotificationEvent, ResultsEvent, StatusEvent } from "./event-payloads.ts";
import { refreshIncidentsSoon } from "./incidents.ts";
import { integrationsKey } from "./integrations.ts";
import { refreshMaintenanceSoon } from "./maintenance.ts";
import { refreshShownMonitors } from "./monitor-keys.ts";
import type { Monitor } from "./monitor-list.ts";
import { listedMonitors, patchMonitors, refreshListSoon } from "./monitors.ts";
import { notificationWords } from "./notification-words.ts";
import { refreshNotificationsSoon } from "./notifications.ts";
import { readAgainSoon } from "./read-again.ts";
import { previewsKey } from "./status-pages.ts";

/** What each type of event on the live stream does to what has been read; a type that the server adds is missed here. */
export const liveHandlers = {
  status: applyStatus,
  "service.status": applyStatus,
  results: applyResults,
  "service.results": applyResults,
  "device.status": applyStatus,
  "device.reported": applyResults,
  notification: (client: QueryClient, event: NotificationEvent) => {
    announce(event);
    refreshNotificationsSoon(client);
    if (event.event === "channel.disabled") readAgainSoon(client, channelsQuery.queryKey);
  },
  incident: (client: QueryClient) => {
    refreshIncidentsSoon(client);
    readAgainSoon(client, previewsKey);
  },
  maintenance: (client: QueryClient) => {
    refreshMaintenanceSoon(client);
    readAgainSoon(client, previewsKey);
    // They say which of what is down is in maintenance.
    refreshIncidentsSoon(client);
    for (const { id } of Object.values(monitorKinds)) {
      refreshListSoon(client, id);
      refreshShownMonitors(client, id, () => true);
    }
  },
  integration: (client: QueryClient) => readAgainSoon(client, integrationsKey),
  deployment: (client: QueryClient) => {
    readAgainSoon(client, deploymentsKey);
    // One that began shortly before an incident is named there.
    refreshIncidentsSoon(client);
  },
  // Created, changed or deleted, by whomever: the items come from the API, not from the event.
  "monitor.changed": changeOf("domain"),
  "service.changed": changeOf("service"),
  "device.changed": changeOf("device"),
  // Events were missed that cannot be had any more.
  reset: (client: QueryClient) => void client.invalidateQueries(),
} satisfies Record<LiveEventType | "reset", (client: QueryClient, event: never) => void>;

function applyStatus(client: QueryClient, event: StatusEvent): void {
  const kind = kindOf(event.kind)?.id;
  if (kind === undefined) return;
  const { monitorId, state, statusSince, reason, reasonFact } = event;
  // Pausing and resuming arrive as a change of state: whether it is paused follows from that.
  const change =
    state === "unknown" && reason === "paused"
      ? { state: "paused" as const, enabled: false, statusSince }
      : {
          state,
          statusSince,
          lastReason: reason,
          lastReasonFact: reasonFact,
          ...(state !== "unknown" && { enabled: true }),
        };
  patchMonitors(client, kind, new Map([[monitorId, change]]));
  // The uptime that goes with it, or the monitor itself where the list lacks it.
  refreshListSoon(client, kind);
  refreshShownMonitors(client, kind, (id) => id === monitorId);
  readAgainSoon(client, previewsKey);
}

function changeOf(kind: KindId) {
  return (client: QueryClient, { monitorIds }: MonitorsChangedEvent): void => {
    refreshListSoon(client, kind);
    refreshShownMonitors(client, kind, (id) => monitorIds.includes(id));
    // One may be held back behind what is down in an incident, or no longer.
    refreshIncidentsSoon(client);
  };
}

/** A check that failed has no time to show; the first of a monitor brings its certificate and uptime along. */
function applyResults(client: QueryClient, { results }: ResultsEvent): void {
  const changes = new Map<KindId, Map<number, Partial<Monitor>>>();
  for (const { kind: name, monitorId, timestamp, verdict, responseTime, reason, reasonFact } of results) {
    const kind = kindOf(name)?.id;
    if (kind === undefined || verdict === "probe_fault") continue;
    const ofKind = changes.get(kind) ?? new Map<number, Partial<Monitor>>();
    const passed = verdict === "ok" || verdict === "degraded";
    changes.set(
      kind,
      ofKind.set(monitorId, {
        ...ofKind.get(monitorId),
        lastCheck: timestamp,
        // Of a device each result is a report.
        ...(kind === "device" && { lastSeen: timestamp }),
        lastReason: reason ?? null,
        lastReasonFact: reasonFact ?? null,
        ...(passed && { responseTime }),
      }),
    );
  }
  for (const [kind, ofKind] of changes) {
    const isFirst = ({ id, lastCheck }: Monitor) => lastCheck === null && ofKind.has(id);
    const first = listedMonitors(client, kind).some(isFirst);
    patchMonitors(client, kind, ofKind);
    if (first) refreshListSoon(client, kind);
    refreshShownMonitors(client, kind, (id) => ofKind.has(id), "checks");
  }
}

/** The list keeps showing what this is about, so it may go by itself. */
const announcedMs = 8_000;
/** So many are shown one by one; of more of a kind only the number is shown. */
const shownSingly = 3;
/** What comes later than this after the last of its kind gets a toast of its own. */
const burstMs = 10_000;
/** Counts are shown as often as they can be read. */
const batchMs = 500;

interface Burst {
  /** Monitors: one that goes down twice is one. */
  ids: Set<number>;
  end: number;
  /** While a count is about to be shown. */
  timer?: number;
}

const bursts = new Map<string, Burst>();

/** Shows notifications in the reader's language: an outage of the network is one sentence, not five hundred. */
function announce({ togetherFact, isQuiet, ...own }: NotificationEvent): void {
  if (isQuiet) return;
  const notification = { ...own, fact: togetherFact ?? own.fact };
  const { event, type, monitorId } = notification;
  const kind = kindOf(notification.kind ?? "");
  if (kind === undefined || monitorId === null || event === "channel.disabled") {
    showToast(type, notificationWords(notification), { lastsMs: announcedMs });
    return;
  }
  const isWell = event === "device.health" && type === "success";
  const group = `${kind.id} ${event} ${isWell}`;
  const burst = joinBurst(group, monitorId);
  if (burst.ids.size <= shownSingly) {
    showToast(type, notificationWords(notification), {
      lastsMs: announcedMs,
      monitor: { kind, id: monitorId },
      group,
    });
    return;
  }
  burst.timer ??= window.setTimeout(() => {
    burst.timer = undefined;
    const count = burst.ids.size;
    const words = isWell
      ? i18n.t("notification.many.device.healthy", { count })
      : event in certificateKeys
        ? i18n.t(`notification.certificates.${certificateKeys[event as CertificateEvent]}`, { count })
        : event in objectiveKeys
          ? i18n.t(`notification.objectives.${objectiveKeys[event as ObjectiveEvent]}`, { count })
          : i18n.t(`notification.many.${kind.id}.${manyKeys[event as MonitorEvent]}`, { count });
    showToast(type, words, { lastsMs: announcedMs, group, insteadOfGroup: true });
  }, batchMs);
}

/** `group`: a kind of monitor and what happened to it. */
function joinBurst(group: string, id: number): Burst {
  const before = bursts.get(group);
  const burst = before ?? { ids: new Set(), end: 0 };
  clearTimeout(burst.end);
  burst.ids.add(id);
  burst.end = window.setTimeout(() => bursts.delete(group), burstMs);
  bursts.set(group, burst);
  return burst;
}

type Event = Exclude<NotificationEvent["event"], "channel.disabled">;
type CertificateEvent = Extract<Event, `certificate.${string}`>;
type ObjectiveEvent = Extract<Event, `objective.${string}`>;
type MonitorEvent = Exclude<Event, CertificateEvent | ObjectiveEvent>;

const certificateKeys = {
  "certificate.expiring": "expiring",
  "certificate.invalid": "invalid",
  "certificate.renewed": "renewed",
} as const satisfies Record<CertificateEvent, string>;

const objectiveKeys = {
  "objective.burning": "burning",
  "objective.steady": "steady",
} as const satisfies Record<ObjectiveEvent, string>;

const manyKeys = {
  "monitor.down": "down",
  "monitor.up": "up",
  "monitor.degraded": "degraded",
  "monitor.flapping": "flapping",
  "monitor.settled": "stable",
  "monitor.stopped": "stopped",
  "device.offline": "down",
  "device.online": "up",
  "device.health": "degraded",
} as const satisfies Record<MonitorEvent, string>;
