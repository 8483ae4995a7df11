import type { NoticeType } from "../../notification/rules.ts";
import { type Fact, factJson } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

/** One thing that people are told. */
export interface NewNotification {
  uuid: string;
  organizationId: number;
  monitorId: number | null;
  incidentId: number | null;
  /** e.g. `monitor.down` (decisions §7). */
  event: string;
  type: NoticeType;
  message: string;
  /** What the message says. */
  fact: Fact;
  /** The cause: whoever reports it again tells nobody twice. */
  idempotencyKey: string;
  createdAt: number;
}

/** Writes those whose cause was not told yet. */
export async function insertNotifications(trx: Db, notifications: readonly NewNotification[]): Promise<void> {
  await insertMany(
    trx,
    "notifications",
    notifications.map((each) => ({
      uuid: each.uuid,
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      incident_id: each.incidentId,
      event: each.event,
      type: each.type,
      message: each.message,
      fact: factJson(each.fact),
      idempotency_key: each.idempotencyKey,
      created_at: each.createdAt,
    })),
    "nothing",
  );
}
