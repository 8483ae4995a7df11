import { type Static, Type } from "typebox";
import { CONFIRMATION_EVENT } from "../../platform/database/tables/outbox.ts";
import { IMPACTS, INCIDENT_STATUSES, type IncidentStatus as Stage } from "../../platform/monitor-defaults.ts";
import {
  nullable,
  oneOf,
  percent,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import {
  type ComponentName,
  type PublicIncident as Incident,
  type PublicMaintenance as Maintenance,
  MEASURED_STATUSES,
  OVERALL_STATUSES,
  type PublicComponent,
  type PublicPage,
  type Said,
  SHOWN_STATUSES,
} from "../document/public-page.ts";
import { PAGE_NOTIFICATION_EVENTS, type PageNotification } from "../subscriber/page-notification.ts";

const Named = Type.Object(
  { uuid: Uuid, name: Type.String({ examples: ["Shop"] }) },
  { title: "PublicComponentName" },
);

const Outage = Type.Object(
  { from: Timestamp, to: nullable(Timestamp, "Null: it goes on.") },
  { title: "PublicOutage" },
);

const Day = Type.Object(
  {
    date: Type.String({ format: "date", description: "In the page's time zone." }),
    status: oneOf([...MEASURED_STATUSES, "no_data"], { description: "The worst of the day." }),
    uptime: percent("Two decimals."),
    outages: Type.Array(Outage, {
      description: "The parts of outages within the day, at most the 10 longest.",
    }),
  },
  { title: "PublicDay" },
);

const ResponseTime = Type.Object(
  {
    timestamp: Timestamp,
    responseTime: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "Median of the hour, milliseconds; null: no check passed.",
    }),
  },
  { title: "PublicResponseTime" },
);

const list = <T extends ReturnType<typeof Type.Object>>(item: T, description: string) =>
  Type.Unsafe<Static<T>[] | null>({ type: ["array", "null"], items: item, description });

const Component = Type.Object(
  {
    uuid: Uuid,
    name: Type.String({ examples: ["Shop"] }),
    description: Type.String(),
    status: oneOf(SHOWN_STATUSES, {
      description:
        "The worse of what is measured and what people report: an open incident that they reported makes it `degraded` (minor), `partial_outage` (major) or `outage` (critical). Paused: not monitored at present. Unknown: nothing is known yet.",
    }),
    incidents: Type.Array(Uuid, {
      description: "The open incidents of `incidents` that people reported of it.",
    }),
    since: nullable(Timestamp, "Since when; null: longer than is known."),
    uptime: percent(
      "Over the last 90 days or, where `measuredSince` is later, since then; two decimals. Null also where the page does not show it.",
    ),
    measuredSince: nullable(
      Timestamp,
      "Since when `uptime` is known, where that is not for all of the 90 days. Measured for less than a day, it is not shown to people.",
    ),
    days: list(Day, "The last 90, oldest first; null: the page does not show them."),
    responseTimes: list(ResponseTime, "The last 24 hours, oldest first; null: the page does not show them."),
  },
  { title: "PublicComponent" },
);

const Group = Type.Object(
  {
    uuid: Uuid,
    name: nullable(Type.String(), "Null: of components without a group."),
    isCollapsed: Type.Boolean({ description: "Whether the page shows its components only on request." }),
    status: oneOf(SHOWN_STATUSES, {
      description:
        "As its worst component; `partial_outage`: some of them are out and others are not, or one of them is.",
    }),
    components: Type.Array(Component),
  },
  { title: "PublicGroup" },
);

const IncidentStatus = oneOf(INCIDENT_STATUSES);

const PublicIncident = Type.Object(
  {
    uuid: Uuid,
    title: Type.String({ examples: ["Shop is not available"] }),
    impact: oneOf(IMPACTS),
    status: IncidentStatus,
    startedAt: Timestamp,
    resolvedAt: nullable(Timestamp, "Null: it goes on."),
    updatedAt: Timestamp,
    components: Type.Array(Named, { description: "What it affects of this page." }),
    updates: Type.Array(
      Type.Object(
        {
          uuid: Uuid,
          createdAt: Timestamp,
          status: IncidentStatus,
          message: Type.String({
            description: "Markdown (CommonMark), as it was written. Empty where only the status changed.",
            examples: ["Shop is available again."],
          }),
        },
        { title: "PublicIncidentUpdate" },
      ),
      { description: "Newest first, at most 100; fewer where the page has very much to show." },
    ),
  },
  { title: "PublicIncident" },
);

const PublicMaintenance = Type.Object(
  {
    uuid: Uuid,
    title: Type.String({ examples: ["Database upgrade"] }),
    description: Type.String(),
    startsAt: Timestamp,
    endsAt: Timestamp,
    isRunning: Type.Boolean(),
    components: Type.Array(Named, { description: "What it is about, of this page." }),
  },
  { title: "PublicMaintenance" },
);

export const PublicStatusPage = Type.Object(
  {
    uuid: Uuid,
    slug: Type.String({ examples: ["example"] }),
    name: Type.String({ examples: ["Example status"] }),
    description: Type.String(),
    url: nullable(Type.String(), "Where the page is; null: no address of it is known."),
    timeZone: Type.String({ examples: ["Europe/Berlin"] }),
    updatedAt: Timestamp,
    overall: oneOf(OVERALL_STATUSES, { description: "The status of the whole page." }),
    groups: Type.Array(Group, { description: "In order." }),
    incidents: Type.Array(PublicIncident, { description: "Open ones, newest first." }),
    history: Type.Array(PublicIncident, { description: "Resolved in the last 90 days, newest first." }),
    maintenance: Type.Array(PublicMaintenance, {
      description: "Under way, then what begins within 30 days, soonest first.",
    }),
  },
  { title: "PublicStatusPage" },
);

type Say = (text: Said) => string;

function projectComponent(component: PublicComponent): Static<typeof Component> {
  const { uuid, name, description, status, incidents, since, uptime, days, responseTimes } = component;
  const measuredSince = timestampOrNull(component.measuredSince);
  return {
    ...{ uuid, name, description, status, incidents },
    ...{ since: timestampOrNull(since), uptime, measuredSince },
    days:
      days?.map(({ date, status: worst, uptime: ofDay, outages }) => ({
        ...{ date, status: worst, uptime: ofDay },
        outages: outages.map(({ from, to }) => ({ from: timestamp(from), to: timestampOrNull(to) })),
      })) ?? null,
    responseTimes:
      responseTimes?.map(({ at, ms }) => ({ timestamp: timestamp(at), responseTime: ms })) ?? null,
  };
}

const projectNames = (components: readonly ComponentName[]) =>
  components.map(({ uuid, name }) => ({ uuid, name }));

const projectIncident =
  (say: Say) =>
  (incident: Incident): Static<typeof PublicIncident> => ({
    uuid: incident.uuid,
    title: say(incident.title),
    impact: incident.impact,
    status: incident.status as Stage,
    startedAt: timestamp(incident.startedAt),
    resolvedAt: timestampOrNull(incident.resolvedAt),
    updatedAt: timestamp(incident.updatedAt),
    components: projectNames(incident.components),
    updates: incident.updates.map(({ uuid, at, status, text }) => ({
      ...{ uuid, createdAt: timestamp(at), status: status as Stage, message: say(text) },
    })),
  });

const projectMaintenance =
  (say: Say) =>
  (window: Maintenance): Static<typeof PublicMaintenance> => ({
    uuid: window.uuid,
    title: say(window.title),
    description: window.description,
    startsAt: timestamp(window.startsAt),
    endsAt: timestamp(window.endsAt),
    isRunning: window.isRunning,
    components: projectNames(window.components),
  });

export function projectPublicPage(page: PublicPage, say: Say): Static<typeof PublicStatusPage> {
  const { uuid, slug, name, description, url, timeZone, overall } = page;
  return {
    ...{ uuid, slug, name, description, url, timeZone, overall, updatedAt: timestamp(page.updatedAt) },
    groups: page.groups.map(({ status, isCollapsed, ...group }) => ({
      ...{ uuid: group.uuid, name: group.name, isCollapsed, status },
      components: group.components.map(projectComponent),
    })),
    incidents: page.incidents.map(projectIncident(say)),
    history: page.history.map(projectIncident(say)),
    maintenance: page.maintenance.map(projectMaintenance(say)),
  };
}

export const StatusPageEvent = Type.Object(
  {
    type: oneOf([...PAGE_NOTIFICATION_EVENTS, CONFIRMATION_EVENT], {
      description: `What happened. \`withdrawn\`: the page no longer shows its subject, which need not be over. \`${CONFIRMATION_EVENT}\` comes first, and alone until a POST was sent to its \`confirmUrl\`.`,
    }),
    timestamp: Timestamp,
    page: Type.Object({
      uuid: Uuid,
      name: Type.String({ examples: ["Example status"] }),
      url: nullable(Type.String(), "Where it is; null: no address of it is known."),
    }),
    title: Type.String({ description: "In a sentence, in the subscriber's language." }),
    incident: nullable(
      Type.Object(PublicIncident.properties, { title: "StatusPageEventIncident" }),
      "As the page shows it, or showed it before it was withdrawn; null where it is about none.",
    ),
    maintenance: nullable(
      Type.Object(PublicMaintenance.properties, { title: "StatusPageEventMaintenance" }),
      "As the page shows it, or showed it before it was withdrawn; null where it is about none.",
    ),
    confirmUrl: nullable(
      Type.String(),
      "Of a request for consent: POST there within three days to subscribe. Null in all others.",
    ),
    secret: nullable(
      Type.String(),
      "Of a request for consent: what all messages are signed with (Standard Webhooks). Null in all others.",
    ),
    unsubscribeUrl: Type.String({
      description: "POST there to unsubscribe. It is always the same.",
    }),
  },
  {
    title: "StatusPageEvent",
    description:
      "Signed by the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks).",
  },
);

interface Sent {
  at: number;
  page: { uuid: string; name: string; url: string | null };
  title: string;
  notification: PageNotification | null;
  confirmation: { confirmUrl: string; secret: string } | null;
  unsubscribeUrl: string;
}

export function projectPageEvent(sent: Sent, say: Say): Static<typeof StatusPageEvent> {
  const { notification, confirmation, page } = sent;
  return {
    type: notification?.event ?? CONFIRMATION_EVENT,
    timestamp: timestamp(sent.at),
    page: { uuid: page.uuid, name: page.name, url: page.url },
    title: sent.title,
    incident: notification?.incident ? projectIncident(say)(notification.incident) : null,
    maintenance: notification?.maintenance ? projectMaintenance(say)(notification.maintenance) : null,
    confirmUrl: confirmation?.confirmUrl ?? null,
    secret: confirmation?.secret ?? null,
    unsubscribeUrl: sent.unsubscribeUrl,
  };
}
