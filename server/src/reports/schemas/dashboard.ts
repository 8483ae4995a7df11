import { type Static, Type } from "typebox";
import type { UnnotifiedIncident } from "../../alerts/queries/unnotified.ts";
import type { MonitorSummary, StatusCounts } from "../../monitors/queries/monitor-names.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  MessageSchema,
  nullable,
  oneOf,
  percent,
  percentage,
  sentenceOf,
  Timestamp,
  timestamp,
} from "../../platform/operations/field.ts";
import type { Activity as StoredActivity } from "../queries/activity.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const DashboardStats = Type.Object(
  {
    domains: Type.Object({
      total: count("All domains."),
      up: count("Degraded ones included."),
      down: count("With a confirmed outage."),
      unknown: count("Not checked yet, paused, or monitoring has stopped."),
      uptime: percent("Mean of the domains' uptimes over the last 24 hours."),
    }),
    devices: Type.Object({
      total: count("All devices."),
      online: count("Reporting."),
      offline: count("All that are not online."),
      down: count("Of these, those whose agents have gone silent."),
    }),
    services: Type.Object({
      total: count("All service monitors."),
      up: count("Degraded ones included."),
      down: count("With a confirmed outage."),
      unknown: count("Not checked yet, paused, or monitoring has stopped."),
    }),
    incidents: Type.Object({
      active: count("Not resolved."),
      critical: count("Of these, of severity critical."),
      unnotified: Type.Array(
        Type.Object({
          id: Type.Integer({ examples: [7] }),
          title: fromOutside(Type.String({ examples: ["Shop is down"] })),
          titleFact: MessageSchema,
        }),
        {
          description:
            "Of these, the oldest ten in which something has been down for more than two minutes and no channel has been notified: there is none, all are off, disabled or leave it out, or no message got there. Acknowledged incidents are not listed, nor are those that wait only for the end of a channel's quiet hours, or whose monitors are in maintenance.",
        },
      ),
    }),
  },
  { title: "DashboardStats" },
);

const activityLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 20,
  description: "Items, newest first.",
});

const ACTIVITY_TYPES = ["status", "incident", "change"] as const;

const activityType = Type.Optional(
  oneOf(ACTIVITY_TYPES, { description: "Only things of this type. Default: all." }),
);

export const ActivityQuery = Type.Object({
  type: activityType,
  limit: activityLimit,
});

export const Activity = Type.Object(
  {
    id: Type.String({
      description:
        "Unique within the list and stable across requests. Opaque: it says nothing, not even about the order.",
      examples: ["status-mGdXcbxqkS0yZ3Ow"],
    }),
    type: oneOf(ACTIVITY_TYPES, {
      description: "A monitor changed its status, an incident was written to, or a person changed something.",
    }),
    message: Type.String({ examples: ["Shop went down."] }),
    timestamp: Timestamp,
    status: nullable(Type.String(), "The status or incident state it led to."),
    previousStatus: nullable(Type.String(), "What a monitor was before."),
    reason: fromOutside(
      nullable(Type.String(), "Why a monitor is down or degraded; `paused` while it is paused."),
    ),
    reasonFact: MessageSchema,
    monitorId: nullable(Type.Integer(), "The domain, service or device it is about."),
    monitorName: nullable(Type.String(), "Its name now. Only for changes of status."),
    monitorKind: nullable(oneOf(MONITOR_KINDS), "Which of the two it is. Only for changes of status."),
    incidentId: nullable(Type.Integer(), "The incident it is about."),
    action: nullable(Type.String(), "What was done, e.g. `delete domains`. Only for changes."),
    subject: nullable(Type.String(), "What it was done to, by its name at that time. Only for changes."),
    user: nullable(Type.String(), "Who did it; null: the service itself."),
  },
  { title: "Activity" },
);

interface Stats {
  domains: MonitorSummary;
  services: StatusCounts;
  devices: StatusCounts;
  /** Unresolved ones. */
  incidents: { active: number; critical: number; unnotified: UnnotifiedIncident[] };
}

export function projectDashboardStats({
  domains,
  devices,
  services,
  incidents,
}: Stats): Static<typeof DashboardStats> {
  const counts = ({ total, up, down, unknown }: StatusCounts) => ({ total, up, down, unknown });
  return {
    domains: { ...counts(domains), uptime: percentage(domains.averageUptime) },
    devices: {
      ...{ total: devices.total, online: devices.up },
      ...{ offline: devices.total - devices.up, down: devices.down },
    },
    services: counts(services),
    incidents,
  };
}

export function projectActivity(
  activity: StoredActivity & { message: string; publicId: string },
): Static<typeof Activity> {
  const { kind, publicId, at } = activity;
  return {
    id: publicId,
    type: kind,
    message: activity.message,
    timestamp: timestamp(at),
    status: kind === "status" ? activity.toStatus : kind === "incident" ? activity.status : null,
    previousStatus: kind === "status" ? activity.fromStatus : null,
    reason: kind === "status" ? sentenceOf(activity.reason) : null,
    reasonFact: kind === "status" ? activity.reason : null,
    monitorId: kind === "change" ? null : activity.monitorId,
    monitorName: kind === "status" ? activity.monitorName : null,
    monitorKind: kind === "status" ? activity.monitorKind : null,
    incidentId: kind === "incident" ? activity.incidentId : null,
    action: kind === "change" ? activity.action : null,
    subject: kind === "change" ? activity.subject : null,
    user: kind === "change" ? activity.userName : null,
  };
}
