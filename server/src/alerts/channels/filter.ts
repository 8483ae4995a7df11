import { MONITOR_NOTIFICATIONS, type MonitorNotificationEvent } from "../../engine/status/state.ts";
import type { Severity } from "../../platform/monitor-defaults.ts";
import { DEVICE_EVENTS, type DeviceEvent } from "../event-rules.ts";

/** What people write about incidents. */
export const INCIDENT_EVENTS = ["incident.opened", "incident.updated", "incident.resolved"] as const;
export type IncidentEvent = (typeof INCIDENT_EVENTS)[number];

/** Events of a monitor's certificate. */
export const CERTIFICATE_EVENTS = ["certificate.expiring", "certificate.invalid"] as const;
/** The same, and that it is OK again. */
export const CERTIFICATE_NOTIFICATIONS = [...CERTIFICATE_EVENTS, "certificate.renewed"] as const;
export type CertificateEvent = (typeof CERTIFICATE_NOTIFICATIONS)[number];

/** Events of a monitor's error budget: used up too fast, and no longer so. */
export const OBJECTIVE_NOTIFICATIONS = ["objective.burning", "objective.steady"] as const;
export type ObjectiveEvent = (typeof OBJECTIVE_NOTIFICATIONS)[number];

/** Events that a channel can receive. "OK again" and "steady" go only to channels that received the problem. */
export type ChannelEvent =
  | MonitorNotificationEvent
  | DeviceEvent
  | IncidentEvent
  | CertificateEvent
  | ObjectiveEvent;

/** Events of monitors that are sent by themselves. "Stable again" goes only to channels that received the flapping. */
export const MONITOR_EVENTS = MONITOR_NOTIFICATIONS.filter((event) => event !== "monitor.settled");

/** What people choose from. */
export const CHANNEL_EVENTS = [
  ...MONITOR_EVENTS,
  ...DEVICE_EVENTS,
  ...CERTIFICATE_EVENTS,
  OBJECTIVE_NOTIFICATIONS[0],
  ...INCIDENT_EVENTS,
];

/**
 * How often a channel is reminded of an unacknowledged outage. `critical`: every four hours, and only of outages of critical
 * severity.
 */
export const REMINDERS = ["never", "critical", "15m", "1h", "4h"] as const;
export type Reminder = (typeof REMINDERS)[number];

/** The days of a week, as people choose them. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** When messages are sent. `from` and `to`: `HH:MM`; a span over midnight belongs to the day on which it begins. */
export interface Hours {
  days?: Weekday[];
  from?: string;
  to?: string;
  /** They are those in which none is sent. */
  areQuiet?: true;
  /** Of the clocks that they go by, where it is not the channel's. */
  timeZone?: string;
}

/** Which events a channel is notified of, and when. Empty lists narrow nothing; `hours` null: always. */
export interface ChannelFilter {
  events: (typeof CHANNEL_EVENTS)[number][];
  severities: Severity[];
  tags: string[];
  hours: Hours | null;
}

/** What a filter needs to know of an event. */
export interface Filtered {
  event: ChannelEvent;
  severity: Severity;
  tags: readonly string[];
}

/**
 * Whether a channel is notified, now or later. `wasNotified`: it received the start and not yet the end; it also receives later
 * updates of an incident or a certificate, whatever its severity and tags are by then.
 */
export function wants(
  filter: ChannelFilter,
  { event, severity, tags }: Filtered,
  wasNotified: boolean,
): boolean {
  if (!wantsEvent(filter, event)) return false;
  if (wasNotified) return true;
  if (!fits(filter.severities, severity)) return false;
  return filter.tags.length === 0 || filter.tags.some((tag) => tags.includes(tag));
}

/** Whether a channel is notified of events of that name. */
export const wantsEvent = ({ events }: Pick<ChannelFilter, "events">, event: ChannelEvent): boolean =>
  fits<string>(events, event);

const fits = <T>(wanted: readonly T[], one: T): boolean => wanted.length === 0 || wanted.includes(one);
