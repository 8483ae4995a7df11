import type { Generated } from "kysely";
import { table } from "../table.ts";
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

/** One thing to send to one recipient: a channel's business (notification/channels.ts). */
export interface OutboxTable {
  id: Generated<number>;
  /** The recipient's side knows it by this, however often it is sent. */
  uuid: string;
  /** Null: about a person's account, not an organization. */
  organization_id: number | null;
  channel: string;
  recipient: string;
  /** Encrypted JSON, the channel's own; empty once nothing more is sent. */
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
}

/** Tables of what people and apps are told. */
export const NOTICE_TABLES = {
  notifications: table<NotificationTable>({
    tenant: "organization_id",
    retention: { days: 400, since: "created_at", inOrder: true },
  }),
  outbox: table<OutboxTable>({
    tenant: "organization_id",
    retention: { days: 7, since: "created_at", inOrder: true },
    backup: "not restored",
  }),
  notification_reads: table<NotificationReadTable>({ tenant: "organization_id", retention: "kept" }),
  events: table<EventTable>({
    tenant: "organization_id",
    retention: { elsewhere: "an hour, and the newest for ever (result/forget-events.ts)" },
  }),
};
