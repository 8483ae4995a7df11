import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Language } from "../../platform/i18n/render.ts";
import {
  CERTIFICATE_EVENTS,
  CHANNEL_EVENTS,
  type ChannelEvent,
  type ChannelFilter,
  type Hours,
  INCIDENT_EVENTS,
  MONITOR_EVENTS,
  OBJECTIVE_NOTIFICATIONS,
} from "../channels/filter.ts";
import { DEVICE_EVENTS } from "../event-rules.ts";

/** Somewhere of a person's own that messages go to: its configuration sealed, and the host that it leads to. */
export interface OwnTarget {
  sealed: string;
  host: string;
  /** Why it takes nothing more; null unless it said so. */
  ended: MessageDescriptor | null;
}

/** What a person wants to be notified of, and how. */
export interface NotificationSettings {
  emailNotifications: boolean;
  browserNotifications: boolean;
  emailIncidents: boolean;
  emailDowntime: boolean;
  emailWeeklyReports: boolean;
  emailMonthlyReports: boolean;
  slackEnabled: boolean;
  /** When only critical events are sent, on the clocks of its own zone; null: never. */
  quietHours: Hours | null;
  slack: OwnTarget | null;
  webhook: OwnTarget | null;
}

/** By default, people are notified of outages by mail, and in the browsers that they let show messages. */
export const USUAL_SETTINGS: NotificationSettings = {
  emailNotifications: true,
  browserNotifications: true,
  emailIncidents: true,
  emailDowntime: true,
  emailWeeklyReports: false,
  emailMonthlyReports: false,
  slackEnabled: false,
  quietHours: null,
  slack: null,
  webhook: null,
};

/** The reports that are sent by mail. */
export const REPORT_MAILS = ["weekly", "monthly"] as const;
export type ReportMailKind = (typeof REPORT_MAILS)[number];

/** The hour at which they are sent, in the reader's time zone: before most people's day begins. */
const HOUR = 8;

/** A report that is sent by mail: of which time, and when. Milliseconds. */
export interface ReportTimes {
  /** The first day of that time, `2026-11-16`: the same in all time zones. */
  period: string;
  /** The last day of it. */
  lastDay: string;
  from: number;
  /** Where the time ends that it is about. */
  to: number;
  dueAt: number;
}

/**
 * The last report that was due by `now` (milliseconds) in a zone of the IANA database: the weekly one each Monday at eight, about
 * the week from Monday to Sunday, the monthly one on the first, about the month. Days begin and end there as clocks do.
 */
export function lastReport(kind: ReportMailKind, timeZone: string, now: number): ReportTimes {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  const end = endOf(kind, today);
  const times = timesOf(kind, end, timeZone);
  return times.dueAt <= now ? times : timesOf(kind, end.subtract(lengthOf(kind)), timeZone);
}

/** When the next one is due after `now`, milliseconds. */
export function nextReportAt(kind: ReportMailKind, timeZone: string, now: number): number {
  const begin = Temporal.PlainDate.from(lastReport(kind, timeZone, now).period);
  return timesOf(kind, begin.add(lengthOf(kind)).add(lengthOf(kind)), timeZone).dueAt;
}

/** The last day up to this one on which a week or a month ends at midnight before. */
const endOf = (kind: ReportMailKind, day: Temporal.PlainDate): Temporal.PlainDate =>
  kind === "weekly" ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });

const lengthOf = (kind: ReportMailKind) => (kind === "weekly" ? { weeks: 1 } : { months: 1 });

function timesOf(kind: ReportMailKind, end: Temporal.PlainDate, timeZone: string): ReportTimes {
  const begin = end.subtract(lengthOf(kind));
  // A clock that skips the midnight begins the day later; one that shows it twice, at the first.
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone }).epochMilliseconds;
  const due = end.toPlainDateTime({ hour: HOUR }).toZonedDateTime(timeZone);
  return {
    period: begin.toString(),
    lastDay: end.subtract({ days: 1 }).toString(),
    from: startOf(begin),
    to: startOf(end),
    dueAt: due.epochMilliseconds,
  };
}

/** What sending to a browser needs. */
export interface PushTarget {
  id: number;
  uuid: string;
  /** Encrypted JSON. */
  address: string;
  /** For people who have chosen none. */
  language: Language;
}

/** What of a person's channel follows from their settings. */
interface OwnChannel extends Pick<ChannelFilter, "hours"> {
  events: ChannelEvent[];
  type: "email" | "slack" | "webhook" | "push";
  /** The browser that it is; null for the other types. */
  pushSubscriptionId: number | null;
  /** The browser's that it is, for people who have chosen none; null for the other types. */
  language: Language | null;
  config: object;
  secrets: string | null;
  target: string;
  enabled: boolean;
  disabledReason: OwnTarget["ended"];
}

/** Of every channel, unless it says otherwise. */
const USUAL = {
  pushSubscriptionId: null,
  language: null,
  config: {},
  secrets: null,
  disabledReason: null,
} as const;

/** The channels of a person in each of their organizations: with the same outbox, throttling and retries as all others. */
export function ownChannels(
  settings: NotificationSettings,
  email: string,
  browsers: readonly PushTarget[],
): OwnChannel[] {
  const { emailDowntime, emailIncidents, emailNotifications, slackEnabled, quietHours: hours } = settings;
  const events = [
    ...(emailDowntime
      ? [...MONITOR_EVENTS, ...DEVICE_EVENTS, ...CERTIFICATE_EVENTS, OBJECTIVE_NOTIFICATIONS[0]]
      : []),
    ...(emailIncidents ? INCIDENT_EVENTS : []),
  ];
  const mail: OwnChannel = {
    ...USUAL,
    type: "email",
    config: { address: email },
    target: email,
    events,
    hours,
    enabled: emailNotifications && events.length > 0,
  };
  const all = { ...USUAL, events: [...CHANNEL_EVENTS], hours };
  const elsewhere = (type: "slack" | "webhook", own: OwnTarget | null, isWanted: boolean): OwnChannel[] => {
    if (own === null) return [];
    const { sealed: secrets, host: target, ended: disabledReason } = own;
    return [{ ...all, type, secrets, target, enabled: isWanted && disabledReason === null, disabledReason }];
  };
  const shown = browsers.map(({ id: pushSubscriptionId, uuid: target, address: secrets, language }) => {
    const enabled = settings.browserNotifications;
    return { ...all, type: "push" as const, pushSubscriptionId, target, secrets, language, enabled };
  });
  return [
    mail,
    ...elsewhere("slack", settings.slack, slackEnabled),
    ...elsewhere("webhook", settings.webhook, true),
    ...shown,
  ];
}
