import type { Generated } from "kysely";
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
  /** When the two newest messages got there. */
  last_sent_at: Generated<number | null>;
  previous_sent_at: Generated<number | null>;
  /** While nobody acknowledges: how long until a trouble is told again; 0: it is not. */
  reminder_minutes: Generated<number>;
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

/** What a channel is told of outages (thread_outages), of a monitor, an incident, or a certificate or objective (of a monitor), until all is well again. One open row of each at most. */
export interface ChannelThreadTable {
  id: Generated<number>;
  organization_id: number;
  channel_id: number;
  /** Of which there may be something else to tell, or was the first outage. */
  monitor_id: number | null;
  incident_id: Generated<number | null>;
  certificate_of: Generated<number | null>;
  objective_of: Generated<number | null>;
  opened_at: number;
  closed_at: Generated<number | null>;
  /** When the first of its messages got there. */
  told_at: Generated<number | null>;
  /** What the other side calls that message. */
  reference: Generated<string | null>;
  /** When the channel is reminded of it; null: it is not. */
  remind_at: Generated<number | null>;
}

/** An outage that a thread tells of. While one goes on, or nobody was told of its end, so does the thread. Milliseconds. */
export interface ThreadOutageTable {
  id: Generated<number>;
  organization_id: number;
  thread_id: number;
  monitor_id: number;
  started_at: number;
  /** When it was written that the channel is told of it; null: it joined what it had been told of. */
  told_at: Generated<number | null>;
  ended_at: Generated<number | null>;
  /** When it was written that its end is told, or that nobody has to be told of it. */
  end_told_at: Generated<number | null>;
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
  channel_threads: table<ChannelThreadTable>({
    tenant: "organization_id",
    // No longer than the messages that were told in it.
    retention: { days: OUTBOX_DAYS, since: "closed_at", ofMonitor: true },
  }),
  thread_outages: table<ThreadOutageTable>({ tenant: "organization_id", retention: "kept" }),
  outbox: table<OutboxTable>({
    tenant: "organization_id",
    retention: { days: OUTBOX_DAYS, since: "created_at" },
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
