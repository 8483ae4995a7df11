import type { NoticeType } from "../../notification/rules.ts";
import { type Fact, factJson } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

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

/** Which of these were written: the others' cause had been told. */
export async function listKnownNotices(trx: Db, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await trx.selectFrom("notifications").select("uuid").where(idIn("uuid", uuids)).execute();
  return new Set(rows.map(({ uuid }) => uuid));
}
