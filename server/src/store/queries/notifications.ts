import { sql } from "kysely";
import type { NotificationType } from "../../notification/rules.ts";
import { type MessageDescriptor, messageJson } from "../../texts/message.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";

/** One thing that people are told. */
export interface NewNotification {
  uuid: string;
  organizationId: number;
  monitorId: number | null;
  incidentId: number | null;
  /** e.g. `monitor.down` (decisions §7). */
  event: string;
  type: NotificationType;
  message: string;
  /** What the message says. */
  fact: MessageDescriptor;
  /** When the outage began that it is about, milliseconds; null: it is about none. */
  outageStartedAt: number | null;
  /** What is said of all that share the incident; null: it is about its monitor alone. */
  togetherFact: MessageDescriptor | null;
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
      fact: messageJson(each.fact),
      outage_started_at: each.outageStartedAt,
      together_fact: messageJson(each.togetherFact),
      idempotency_key: each.idempotencyKey,
      created_at: each.createdAt,
    })),
    "nothing",
  );
}

/** Which of these were written: the others' cause had been told. */
export async function listKnownNotifications(trx: Db, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await trx.selectFrom("notifications").select("uuid").where(idIn("uuid", uuids)).execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** An outage by its monitor and its start, milliseconds. */
/** An outage; milliseconds. */
export type OutageKey = { monitorId: number; startedAt: number };

export const outageKey = ({ monitorId, startedAt }: OutageKey): string => `${monitorId} ${startedAt}`;

/** What people were told of these outages when they began, by `outageKey`. */
export async function listOutageMessages(
  trx: Db,
  outages: readonly OutageKey[],
): Promise<Map<string, MessageDescriptor>> {
  const times = outages.map(({ startedAt }) => startedAt);
  const rows = await trx
    .selectFrom("notifications")
    .select(["monitor_id as monitorId", "outage_started_at as startedAt", "fact"])
    .where(
      among(
        trx,
        "monitor_id",
        outages.map(({ monitorId }) => monitorId),
      ),
    )
    // As the index notifications_outages says it.
    .where(sql<boolean>`event = 'monitor.down'`)
    .where("outage_started_at", ">=", Math.min(...times))
    .where("outage_started_at", "<=", Math.max(...times))
    .where("fact", "is not", null)
    .$narrowType<{ monitorId: number; startedAt: number; fact: string }>()
    .execute();
  return new Map(rows.map((row) => [outageKey(row), JSON.parse(row.fact) as MessageDescriptor]));
}
