import type { Generated } from "kysely";
import { table } from "../table.ts";

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

/** The live stream's log: short-lived, read by every replica, resumable by id. */
export interface EventTable {
  id: Generated<number>;
  organization_id: number;
  type: string;
  /** JSON. */
  payload: string;
  at: number;
}

/** Tables of what people and apps are told. */
export const NOTICE_TABLES = {
  notifications: table<NotificationTable>({
    tenant: "organization_id",
    retention: { days: 400, since: "created_at", inOrder: true },
  }),
  events: table<EventTable>({
    tenant: "organization_id",
    retention: { elsewhere: "an hour, and the newest for ever (result/forget-events.ts)" },
  }),
};
