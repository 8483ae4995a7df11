import type { Generated } from "kysely";

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
