import type { Generated } from "kysely";

/** How long it is known what was sent. */
export const OUTBOX_DAYS = 30;

/** What sends something (transports.ts): by mail, to an organization's channel, to one of a person, to a page's subscriber. */
export type TransportName = "mail" | "channel" | "person" | "subscriber";

/** One try to send something to a channel. */
export interface DeliveryAttemptTable {
  id: Generated<number>;
  organization_id: number;
  delivery_id: number;
  at: number;
  duration_ms: number;
  outcome: "sent" | "refused" | "postponed";
  /** JSON of the fact what became of it. */
  fact: string | null;
  /** JSON, secrets masked; null where none was sent. */
  request: string | null;
  answer: string | null;
}

/** One thing to send to one recipient: a transport's business. */
export interface OutboxTable {
  id: Generated<number>;
  /** The recipient's side knows it by this, however often it is sent. */
  uuid: string;
  /** Null: about a person's account, not an organization. */
  organization_id: number | null;
  channel: TransportName;
  recipient: string;
  /** Encrypted JSON, the transport's own; empty once nothing more is sent. */
  content: string;
  state: "waiting" | "sent" | "failed";
  /** Begun so far. Whoever began the last one decides what becomes of it. */
  attempts: number;
  /** While an attempt is under way: when it counts as lost. */
  next_try_at: number;
  /** No attempt begins later. */
  gives_up_at: number;
  /** JSON of the fact why the last attempt failed. */
  failure: string | null;
  created_at: number;
  /** Of what goes to an organization's channel. */
  channel_id: number | null;
  /** What it is about, e.g. `monitor 7`: of that a channel hears in order. Null: nothing that others are about, too. */
  subject: Generated<string | null>;
  /** What happened, e.g. `monitor.down`. */
  event: string | null;
  /** JSON of what there is to say (notification/channel/message.ts). */
  message: string | null;
  /** The incident that it tells of; null: none, or several. */
  incident_id: Generated<number | null>;
  /** While an attempt is under way: when it counts as lost. */
  leased_until: number | null;
  /** Of what goes to a channel: since when it may be sent; null: an alert has to say it anew first. */
  released_at: Generated<number | null>;
  /** When somebody acknowledged, or confirmed, by its link, which works once. */
  link_used_at: Generated<number | null>;
  /** Of what goes to a status page's subscriber: who, and what of the page (null: the question whether they want it). */
  subscriber_id: Generated<number | null>;
  news_id: Generated<number | null>;
}
