import type { Language } from "../../i18n/render.ts";
import { bigint, flag, id, type RowOf, table, text } from "../table.ts";
import { OUTBOX_DAYS } from "./outbox.ts";

export const NOTIFICATION_TABLES = {
  /** One row an event; channels deliver from it (outbox). */
  notifications: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      monitor_id: bigint().nullable(),
      incident_id: bigint().nullable(),
      /** e.g. `monitor.down`. */
      event: text(),
      /** In the API: `error`, `warning`, `success`, `info`. */
      type: text(),
      message: text(),
      /** JSON of the message descriptor of what it says; null in those of older versions. */
      descriptor: text().nullable(),
      /** When the outage began that it is about, milliseconds; null: it is about none, or an older version wrote it. */
      outage_started_at: bigint().nullable(),
      /** JSON of what was said of all that share its incident; null: it was about its monitor alone. */
      together_message: text().nullable(),
      /** Unique: the same cause is notified once, however often it is retried. */
      idempotency_key: text().unique(),
      created_at: bigint(),
    },
    indexes: {
      notifications_organization: "(organization_id, id)",
      notifications_outages: "(monitor_id, outage_started_at) where event = 'monitor.down'",
      notifications_by_age: "(created_at)",
    },
    tenant: "organization_id",
    retention: { days: 400, since: "created_at" },
  }),
  /** A browser in which a person gets notifications, of all organizations that they are a member of. */
  push_subscriptions: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      user_id: bigint().references("users"),
      /** The session in which it was subscribed: with its end, it ends; but not by being idle. */
      session_id: bigint().nullable(),
      /** SHA-256 of its address, hex. */
      endpoint_hash: text().unique(),
      /** Encrypted JSON (PushAddress). */
      address: text(),
      user_agent: text(),
      /** The app's there, for people who have chosen none. */
      language: text<Language>(),
      created_at: bigint(),
    },
    indexes: {
      push_subscriptions_user: "(user_id, id)",
      push_subscriptions_session: "(session_id) where session_id is not null",
    },
    tenant: null,
    retention: "until deleted",
    backup: "removed again",
  }),
  /**
   * The organization's channels, and those from a member's settings, which only that member knows of. Lists
   * are JSON arrays; an empty one narrows nothing.
   */
  channels: table({
    columns: {
      id: id(),
      uuid: text().unique(),
      organization_id: bigint().references("organizations"),
      /** The one member who is notified by it; null: it is the organization's. */
      user_id: bigint().nullable().references("users"),
      /** The browser of theirs that it is; null: it is none. */
      push_subscription_id: bigint().nullable().references("push_subscriptions"),
      name: text(),
      /** From alerts/channels/registry.ts. */
      type: text(),
      /** JSON, without what is secret of it. */
      config: text(),
      /** Encrypted JSON of the rest; null where there is none. */
      secrets: text().nullable(),
      /** What lists show of the configuration. */
      target: text(),
      events: text(),
      severities: text(),
      tags: text(),
      /** JSON of the days and hours at which messages are sent; null: always. */
      hours: text().nullable(),
      language: text<Language>(),
      time_zone: text(),
      enabled: flag(),
      /** JSON of the message descriptor that says why the other side wants nothing more; null unless that is why it is off. */
      disabled_reason: text().nullable(),
      /** Since when it is off, and who turned it off; null: Vedette did. */
      turned_off_at: bigint().nullable(),
      turned_off_by: bigint().nullable(),
      /** The recipient requested a pause until then. */
      held_until: bigint().nullable(),
      /** Since when its endpoint refuses everything as if it no longer existed. */
      refused_since: bigint().nullable(),
      refused_at: bigint().nullable(),
      /** When the two newest messages got there. */
      last_sent_at: bigint().nullable(),
      previous_sent_at: bigint().nullable(),
      /** How often it is reminded of what is down and not acknowledged. */
      reminder: text<"never" | "critical" | "15m" | "1h" | "4h">().default("critical"),
      /** Since when the recipient is known to want it; null: consent is requested first. */
      confirmed_at: bigint().nullable(),
      /** 1: consent was not requested, since it is a member's address; of one who leaves, it is. */
      confirmed_as_member: flag().default(0),
      created_at: bigint(),
      updated_at: bigint(),
    },
    indexes: {
      channels_organization: "(organization_id, id)",
      channels_user: "(user_id) where user_id is not null",
      channels_person: "unique (organization_id, user_id, type, coalesce(push_subscription_id, 0))",
      channels_browser: "(push_subscription_id) where push_subscription_id is not null",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** What a channel knows of an incident, a monitor, or the certificate or objective of one (alerts/). One that is not resolved of each at most. */
  alerts: table({
    columns: {
      id: id(),
      organization_id: bigint().references("organizations"),
      channel_id: bigint().references("channels"),
      /** `incident 7`, `monitor 7`, `certificate 7` or `objective 7`: the last three name a monitor. */
      subject: text(),
      state: text<"pending" | "firing" | "resolved">(),
      reason: text<AlertReason>().nullable(),
      /** JSON of the rest of it (alerts/alert.ts). */
      data: text(),
      /** When something is to be sent; null: nothing is. */
      next_at: bigint().nullable(),
      /** The row of the outbox that says what is still to be delivered. */
      delivery_id: bigint().nullable(),
      /** What the other side calls the first message. */
      reference: text().nullable(),
      created_at: bigint(),
      updated_at: bigint(),
      resolved_at: bigint().nullable(),
    },
    indexes: {
      alerts_open: "unique (subject, channel_id) where resolved_at is null",
      alerts_due: "(next_at, channel_id) where next_at is not null",
      alerts_due_channel: "(channel_id, next_at) where next_at is not null",
      alerts_delivery: "(delivery_id) where delivery_id is not null",
      alerts_channel: "(channel_id, subject)",
      alerts_organization: "(organization_id)",
      alerts_by_age: "(resolved_at) where resolved_at is not null",
      alerts_subject: "(subject, id)",
    },
    tenant: "organization_id",
    // No longer than the messages about it.
    retention: { days: OUTBOX_DAYS, since: "resolved_at" },
  }),
  /** What happened since the alerts were brought up to date, in order: a monitor, an incident or a channel has changed, or there is something to send. */
  alert_events: table({
    columns: {
      id: id(),
      organization_id: bigint().references("organizations"),
      monitor_id: bigint().nullable(),
      incident_id: bigint().nullable(),
      channel_id: bigint().nullable(),
      /** JSON of what is to be sent word for word (alerts/inbox.ts). */
      post: text().nullable(),
      at: bigint(),
    },
    indexes: {
      alert_events_organization: "(organization_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** In which alerts a monitor with a problem is. */
  alert_subjects: table({
    columns: {
      monitor_id: bigint().references("monitors"),
      organization_id: bigint(),
      subject: text(),
    },
    primaryKey: ["monitor_id", "subject"],
    indexes: {
      alert_subjects_subject: "(subject)",
      alert_subjects_organization: "(organization_id)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** What a person wants to be notified of, in all their organizations; no row: the defaults (alerts/people/settings.ts). */
  notification_settings: table({
    columns: {
      user_id: bigint().references("users"),
      email_notifications: flag(),
      browser_notifications: flag(),
      email_incidents: flag(),
      email_downtime: flag(),
      email_weekly_reports: flag(),
      email_monthly_reports: flag().default(0),
      /** Since when they want these, and mail at all, milliseconds; null: they do not. */
      weekly_reports_since: bigint().nullable(),
      monthly_reports_since: bigint().nullable(),
      slack_enabled: flag(),
      /** JSON of the hours in which only critical notifications are sent; null: none. */
      quiet_hours: text().nullable(),
      /** Encrypted JSON of the configuration of a channel of that type; null: none. */
      slack: text().nullable(),
      webhook: text().nullable(),
      /** The host that each leads to. */
      slack_target: text().nullable(),
      webhook_target: text().nullable(),
      /** JSON of the message descriptor that says why the other side wants nothing more; null unless it said so. */
      slack_ended: text().nullable(),
      webhook_ended: text().nullable(),
      updated_at: bigint(),
    },
    primaryKey: ["user_id"],
    indexes: {
      notification_settings_weekly: "(user_id) where weekly_reports_since is not null",
      notification_settings_monthly: "(user_id) where monthly_reports_since is not null",
    },
    tenant: null,
    retention: "until deleted",
  }),
  /** A mail that a person has had sent to another's address: counted, so that the installation is no mail relay. */
  external_mails: table({
    columns: {
      id: id(),
      user_id: bigint().references("users"),
      organization_id: bigint().references("organizations"),
      recipient_hash: text(),
      at: bigint(),
    },
    indexes: {
      external_mails_user: "(user_id, at)",
      external_mails_organization: "(organization_id, at)",
      external_mails_recipient: "(recipient_hash, at)",
      external_mails_at: "(at)",
    },
    tenant: "organization_id",
    retention: { days: 2, since: "at" },
    backup: "not restored",
  }),
  /** A report that a person got by mail. */
  report_mails: table({
    columns: {
      id: id(),
      user_id: bigint().references("users"),
      organization_id: bigint().references("organizations"),
      kind: text<"weekly" | "monthly">(),
      /** The first day of the time that it is about, on their clocks. */
      period: text(),
      sent_at: bigint(),
    },
    indexes: {
      // Of two servers that send one at once, one does.
      report_mails_once: "unique (user_id, organization_id, kind, period)",
      report_mails_sent: "(sent_at)",
      report_mails_organization: "(organization_id)",
    },
    tenant: "organization_id",
    // Longer than any of them may be late.
    retention: { days: 60, since: "sent_at" },
  }),
  /** That a person has read a notification. */
  notification_reads: table({
    columns: {
      notification_id: bigint().references("notifications"),
      user_id: bigint().references("users"),
      organization_id: bigint(),
      /** 1: and every older one of the organization. One row a person and organization at most. */
      and_older: flag(),
      read_at: bigint(),
    },
    primaryKey: ["notification_id", "user_id"],
    indexes: {
      notification_reads_person: "(user_id, organization_id, and_older)",
    },
    tenant: "organization_id",
    retention: "until deleted",
  }),
  /** The live stream's log: short-lived, read by every replica, resumable by id. */
  events: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      type: text(),
      /** JSON. */
      payload: text(),
      at: bigint(),
    },
    indexes: {
      events_at: "(at)",
      events_organization: "(organization_id, id)",
    },
    tenant: "organization_id",
    retention: { elsewhere: "an hour, and the newest for ever (engine/results/retention.ts)" },
  }),
};

export type ChannelTable = RowOf<(typeof NOTIFICATION_TABLES)["channels"]>;
export type AlertTable = RowOf<(typeof NOTIFICATION_TABLES)["alerts"]>;
export type NotificationSettingsTable = RowOf<(typeof NOTIFICATION_TABLES)["notification_settings"]>;

/** Why an alert is as it is, for people who look at it. */
export type AlertReason =
  | "sending"
  | "delivered"
  | "failing"
  | "group_interval"
  | "quiet_hours"
  | "filtered"
  | "maintenance"
  | "parent"
  | "inactive"
  | "recovered_unnotified";
