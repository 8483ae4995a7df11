import type { Severity } from "../../incident/states.ts";
import { MONITOR_NOTIFICATIONS, type MonitorNotificationEvent } from "../../status/state.ts";
import { DEVICE_EVENTS, type DeviceEvent } from "../event-rules.ts";

/** What people write about incidents. */
export const INCIDENT_EVENTS = ["incident.opened", "incident.updated", "incident.resolved"] as const;
export type IncidentEvent = (typeof INCIDENT_EVENTS)[number];

/** What is told of the certificate of a monitor. */
export const CERTIFICATE_EVENTS = ["certificate.expiring", "certificate.invalid"] as const;
/** The same, and that it is OK again. */
export const CERTIFICATE_NOTIFICATIONS = [...CERTIFICATE_EVENTS, "certificate.renewed"] as const;
export type CertificateEvent = (typeof CERTIFICATE_NOTIFICATIONS)[number];

/** What is told of the error budget of a monitor: that it is being used up too fast, and that it no longer is. */
export const OBJECTIVE_NOTIFICATIONS = ["objective.burning", "objective.steady"] as const;
export type ObjectiveEvent = (typeof OBJECTIVE_NOTIFICATIONS)[number];

/** What a channel can be told of. That a certificate is OK again, or a budget steady, is for those who were told that it was not. */
export type ChannelEvent =
  | MonitorNotificationEvent
  | DeviceEvent
  | IncidentEvent
  | CertificateEvent
  | ObjectiveEvent;

/** What is told of monitors by itself. That one has settled is for those who were told that it flaps. */
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
 * How often a channel is reminded of what is down and nobody has acknowledged. `critical`: every four hours of what is of critical
 * severity, and of nothing else.
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

/** What a filter asks of an event. */
export interface Filtered {
  event: ChannelEvent;
  /** It ends what the channel may have been told of: `monitor.up`, whatever that is called. */
  isEnd?: boolean;
  severity: Severity;
  tags: readonly string[];
}

/**
 * Whether a channel is told, sooner or later. `wasNotified`: it is being told of the trouble, and not yet of its end. Only those who
 * are told of a trouble hear of its end; of an incident or a certificate they hear how it goes on, whatever its severity and tags are by then.
 */
export function wants(
  filter: ChannelFilter,
  { event, isEnd = event === "monitor.up", severity, tags }: Filtered,
  wasNotified: boolean,
): boolean {
  if (!fits<string>(filter.events, event)) return false;
  if (isEnd) return wasNotified;
  if (wasNotified && !/^(?:monitor|device)\./.test(event)) return true;
  if (!fits(filter.severities, severity)) return false;
  return filter.tags.length === 0 || filter.tags.some((tag) => tags.includes(tag));
}

const fits = <T>(wanted: readonly T[], one: T): boolean => wanted.length === 0 || wanted.includes(one);
