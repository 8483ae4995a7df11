import type { Generated } from "kysely";
import type { Alert, AlertReason } from "../../alerts/alert.ts";
import type { Reminder } from "../../notification/channel/filter.ts";
import type { ReportMailKind } from "../../notification/person/report-times.ts";
import type { Language } from "../../texts/languages.ts";
import { table } from "../table.ts";
import { type DeliveryAttemptTable, OUTBOX_DAYS, type OutboxTable } from "./outbox.ts";
import type { Flag } from "./values.ts";

/** What people are told. One row an event; channels deliver from it (outbox). */
export interface NotificationTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  monitor_id: number | null;
  incident_id: number | null;
  /** e.g. `monitor.down` (decisions §7). */
  event: string;
  /** On the wire: `error`, `warning`, `success`, `info`. */
  type: string;
  message: string;
  /** JSON of the fact that the message tells; null in those of older versions. */
  fact: string | null;
  /** When the outage began that it is about, milliseconds; null: it is about none, or an older version wrote it. */
  outage_started_at: Generated<number | null>;
  /** JSON of what was said of all that share its incident; null: it was about its monitor alone. */
  together_fact: Generated<string | null>;
  /** Unique: the same cause is told once, whoever retries. */
  idempotency_key: string;
  created_at: number;
}

/** That a person has read a notification. */
export interface NotificationReadTable {
  notification_id: number;
  user_id: number;
  organization_id: number;
  /** 1: and every older one of the organization. One row a person and organization at most. */
  and_older: Flag;
  read_at: number;
}

/** The live stream's log: short-lived, read by every replica, resumable by id. */
export interface EventTable {
  id: Generated<number>;
  organization_id: number;
  type: string;
  /** JSON. */
  payload: string;
  at: number;
}

/**
 * Where people of an organization are told (notification/channel/): the organization's channels, and those that follow from
 * the settings of a member, which only that member knows of. Lists are JSON arrays; an empty one narrows nothing. */
export interface ChannelTable {
  id: Generated<number>;
  uuid: string;
  organization_id: number;
  /** The member who alone is told by it; null: it is the organization's. */
  user_id: Generated<number | null>;
  /** The browser of theirs that it is; null: it is none. */
  push_subscription_id: Generated<number | null>;
  name: string;
  /** From notification/channel/registry.ts. */
  type: string;
  /** JSON, without what is secret of it. */
  config: string;
  /** Encrypted JSON of the rest; null where there is none. */
  secrets: string | null;
  /** What lists show of the configuration. */
  target: string;
  events: string;
  severities: string;
  tags: string;
  /** JSON of the days and hours at which messages are sent; null: always. */
  hours: string | null;
  language: Language;
  time_zone: string;
  enabled: Flag;
  /** JSON of the fact why the other side wants nothing more; null unless that is why it is off. */
  disabled_reason: string | null;
  /** Since when it is off, and who turned it off; nobody: Vedette did. */
  turned_off_at: Generated<number | null>;
  turned_off_by: Generated<number | null>;
  /** The other side asked for a pause until then. */
  held_until: number | null;
  /** Since when it refuses everything as if nobody was there. */
  refused_since: Generated<number | null>;
  refused_at: Generated<number | null>;
  /** When the two newest messages got there. */
  last_sent_at: Generated<number | null>;
  previous_sent_at: Generated<number | null>;
  /** How often it is reminded of what is down and nobody has acknowledged. */
  reminder: Generated<Reminder>;
  /** Since when whoever is written to is known to want it; null: they are asked first. */
  confirmed_at: number | null;
  /** 1: nobody was asked, since it is a member's address; who leaves is. */
  confirmed_as_member: Generated<Flag>;
  created_at: number;
  updated_at: number;
}

/** What a person wants to be told, wherever they are a member; no row: the usual (notification/person/settings.ts). */
export interface NotificationSettingsTable {
  user_id: number;
  email_notifications: Flag;
  browser_notifications: Flag;
  email_incidents: Flag;
  email_downtime: Flag;
  email_weekly_reports: Flag;
  email_monthly_reports: Generated<Flag>;
  /** Since when they want these, and mail at all, milliseconds; null: they do not. */
  weekly_reports_since: Generated<number | null>;
  monthly_reports_since: Generated<number | null>;
  slack_enabled: Flag;
  /** JSON of the hours in which only critical things are told; null: none. */
  quiet_hours: string | null;
  /** Encrypted JSON of the configuration of a channel of that type; null: none. */
  slack: string | null;
  webhook: string | null;
  /** The host that each leads to. */
  slack_target: string | null;
  webhook_target: string | null;
  /** JSON of the fact why the other side wants nothing more; null unless it said so. */
  slack_ended: string | null;
  webhook_ended: string | null;
  updated_at: number;
}

/** What a channel knows of an incident, a monitor, or the certificate or objective of one (alerts/). One that is not resolved of each at most. */
export interface AlertTable {
  id: Generated<number>;
  organization_id: number;
  channel_id: number;
  /** `incident 7`, `monitor 7`, `certificate 7` or `objective 7`: the last three name a monitor. */
  subject: string;
  state: Alert["state"];
  reason: AlertReason | null;
  /** JSON of the rest of it (alerts/alert.ts). */
  data: string;
  /** When something is to be sent; null: nothing is. */
  next_at: number | null;
  /** The row of the outbox that says what is still to be delivered. */
  delivery_id: Generated<number | null>;
  /** What the other side calls the first message. */
  reference: Generated<string | null>;
  created_at: number;
  updated_at: number;
  resolved_at: Generated<number | null>;
}

/** What happened since the alerts were brought up to date, in order: a monitor, an incident or a channel has changed, or there is something to send. */
export interface AlertEventTable {
  id: Generated<number>;
  organization_id: number;
  monitor_id: number | null;
  incident_id: number | null;
  channel_id: number | null;
  /** JSON of what is to be sent word for word (alerts/inbox.ts). */
  post: string | null;
  at: number;
}

/** In which alerts a monitor with a problem stands. */
export interface AlertSubjectTable {
  monitor_id: number;
  organization_id: number;
  subject: string;
}

/** Which alerts a message to a channel is about. */
export interface OutboxAlertTable {
  delivery_id: number;
  alert_id: number;
}

/** A report that a person got by mail. */
export interface ReportMailTable {
  id: Generated<number>;
  user_id: number;
  organization_id: number;
  kind: ReportMailKind;
  /** The first day of the time that it is about, on their clocks. */
  period: string;
  sent_at: number;
}

/** A mail that a person has had sent to somebody else's address. */
export interface ExternalMailTable {
  id: Generated<number>;
  user_id: number;
  organization_id: number;
  recipient_hash: string;
  at: number;
}

/** A browser in which a person is told what happens, wherever they are a member. */
export interface PushSubscriptionTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  /** The session in which it was subscribed: with its end, it ends; but not by being idle. */
  session_id: number | null;
  /** SHA-256 of its address, hex. */
  endpoint_hash: string;
  /** Encrypted JSON (PushAddress). */
  address: string;
  user_agent: string;
  /** The app's there, for people who have chosen none. */
  language: Language;
  created_at: number;
}

/** Tables of what people and apps are told. */
export const NOTICE_TABLES = {
  notifications: table<NotificationTable>({
    tenant: "organization_id",
    retention: { days: 400, since: "created_at" },
  }),
  push_subscriptions: table<PushSubscriptionTable>({
    tenant: null,
    retention: "kept",
    backup: "removed again",
  }),
  channels: table<ChannelTable>({ tenant: "organization_id", retention: "kept" }),
  alerts: table<AlertTable>({
    tenant: "organization_id",
    // No longer than the messages about it.
    retention: { days: OUTBOX_DAYS, since: "resolved_at" },
  }),
  alert_events: table<AlertEventTable>({ tenant: "organization_id", retention: "kept" }),
  alert_subjects: table<AlertSubjectTable>({ tenant: "organization_id", retention: "kept" }),
  outbox: table<OutboxTable>({
    tenant: "organization_id",
    retention: { days: OUTBOX_DAYS, since: "created_at" },
    backup: "not restored",
  }),
  outbox_alerts: table<OutboxAlertTable>({
    tenant: { column: "alert_id", of: "alerts" },
    retention: "kept",
    backup: "not restored",
  }),
  delivery_attempts: table<DeliveryAttemptTable>({
    tenant: "organization_id",
    retention: { days: OUTBOX_DAYS, since: "at" },
    backup: "not restored",
  }),
  notification_settings: table<NotificationSettingsTable>({ tenant: null, retention: "kept" }),
  external_mails: table<ExternalMailTable>({
    tenant: "organization_id",
    retention: { days: 2, since: "at" },
    backup: "not restored",
  }),
  report_mails: table<ReportMailTable>({
    tenant: "organization_id",
    // Longer than any of them may be late.
    retention: { days: 60, since: "sent_at" },
  }),
  notification_reads: table<NotificationReadTable>({ tenant: "organization_id", retention: "kept" }),
  events: table<EventTable>({
    tenant: "organization_id",
    retention: { elsewhere: "an hour, and the newest for ever (result/forget-events.ts)" },
  }),
};
