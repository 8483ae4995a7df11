import { bigint, id, integer, type RowOf, table, text } from "../table.ts";

export const CONFIRMATION_EVENT = "subscription.question";
/** How long it is known what was sent. */
export const OUTBOX_DAYS = 30;

/** TRANSPORTS in jobs.ts; `person`: to a member's own channel; `page`: to a status page's subscriber. */
export type TransportName = "mail" | "channel" | "person" | "subscriber";

export const OUTBOX_TABLES = {
  /** One thing to send to one recipient: a transport's business. */
  outbox: table({
    columns: {
      id: id(),
      /** The recipient's side knows it by this, however often it is sent. */
      uuid: text().unique(),
      /** Null: about a person's account, not an organization. */
      organization_id: bigint().nullable().references("organizations"),
      channel: text<TransportName>(),
      recipient: text(),
      /** Encrypted JSON, the transport's own; empty once nothing more is sent. */
      content: text(),
      state: text<"waiting" | "sent" | "failed">(),
      /** Begun so far. The process that began the last one decides what becomes of it. */
      attempts: integer(),
      /** While an attempt is under way: when it counts as lost. */
      next_try_at: bigint(),
      /** No attempt begins later. */
      gives_up_at: bigint(),
      /** JSON of the message descriptor that says why the last attempt failed. */
      failure: text().nullable(),
      created_at: bigint(),
      /** Of what goes to an organization's channel. */
      channel_id: bigint().nullable().references("channels"),
      /** What it is about, e.g. `monitor 7`: a channel receives that in order. Null: nothing that others share. */
      subject: text().nullable(),
      /** What happened, e.g. `monitor.down`. */
      event: text().nullable(),
      /** JSON of what there is to say (alerts/channels/message.ts). */
      message: text().nullable(),
      /** The incident that it is about; null: none, or several. */
      incident_id: bigint().nullable(),
      /** While an attempt is under way: when it counts as lost. */
      leased_until: bigint().nullable(),
      /** Of what goes to a channel: since when it may be sent; null: an alert has to say it anew first. */
      released_at: bigint().nullable(),
      /** When it was acknowledged, or confirmed, by its link, which works once. */
      link_used_at: bigint().nullable(),
      /** Of what goes to a status page's subscriber: who, and what of the page (null: the request for consent). */
      subscriber_id: bigint().nullable(),
      page_notification_id: bigint().nullable(),
    },
    indexes: {
      outbox_due: "(next_try_at) where state = 'waiting'",
      outbox_recipient: "(recipient, created_at)",
      outbox_channel: "(channel_id, id) where channel_id is not null",
      outbox_confirmations: "(organization_id, created_at) where event = 'confirmation'",
      outbox_subscriber: "(subscriber_id, id) where subscriber_id is not null",
      outbox_subscribers_waiting:
        "(organization_id, next_try_at) where state = 'waiting' and channel = 'subscriber'",
      outbox_incident: "(incident_id, id) where incident_id is not null",
      outbox_subscription_requests_waiting: `(organization_id, next_try_at) where state = 'waiting' and event = '${CONFIRMATION_EVENT}'`,
      outbox_subject: "(channel_id, subject, id) where state = 'waiting' and subject is not null",
      outbox_by_age: "(created_at)",
      outbox_released:
        "(channel_id, id) where state = 'waiting' and channel_id is not null and released_at is not null",
      outbox_leased: "(channel_id, leased_until) where state = 'waiting' and leased_until is not null",
      outbox_held_back:
        "(channel_id, id) where state = 'waiting' and channel_id is not null and released_at is null",
    },
    tenant: "organization_id",
    retention: { days: OUTBOX_DAYS, since: "created_at" },
    backup: "not restored",
  }),
  outbox_alerts: table({
    columns: {
      delivery_id: bigint().references("outbox"),
      alert_id: bigint().references("alerts"),
    },
    primaryKey: ["delivery_id", "alert_id"],
    indexes: {
      outbox_alerts_alert: "(alert_id)",
    },
    tenant: { column: "alert_id", of: "alerts" },
    retention: "until deleted",
    backup: "not restored",
  }),
  delivery_attempts: table({
    columns: {
      id: id(),
      organization_id: bigint(),
      delivery_id: bigint().references("outbox"),
      at: bigint(),
      duration_ms: integer(),
      outcome: text<"sent" | "refused" | "postponed">(),
      /** JSON of the message descriptor that says what became of it. */
      message: text().nullable(),
      /** JSON, secrets masked; null where none was sent. */
      request: text().nullable(),
      answer: text().nullable(),
    },
    indexes: {
      delivery_attempts_delivery: "(delivery_id, id)",
      delivery_attempts_by_age: "(at)",
    },
    tenant: "organization_id",
    retention: { days: OUTBOX_DAYS, since: "at" },
    backup: "not restored",
  }),
};

export type DeliveryAttemptTable = RowOf<(typeof OUTBOX_TABLES)["delivery_attempts"]>;
