import { sql } from "kysely";
import type { NoticeType } from "../../notification/rules.ts";
import { type Fact, factJson } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { isAboutMerged } from "./merged-incidents.ts";

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
  /** When the outage began that it is about, milliseconds; null: it is about none. */
  outageStartedAt: number | null;
  /** What is said of all that share the incident; null: it is about its monitor alone. */
  togetherFact: Fact | null;
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
      outage_started_at: each.outageStartedAt,
      together_fact: factJson(each.togetherFact),
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

/** Of which outage a notice is looked for. */
interface Wanted {
  organizationId: number;
  incidentId: number;
  monitorId: number;
}

/** What people were told of an outage. */
interface OutageNotice {
  uuid: string;
  type: NoticeType;
  fact: Fact;
}

/**
 * The notice that a monitor went down which is in this incident, or came with one that was merged into it; null where there
 * is none, or it is in maintenance.
 */
export async function findOutageNotice(
  trx: Db,
  { organizationId, incidentId, monitorId }: Wanted,
): Promise<OutageNotice | null> {
  const row = await trx
    .selectFrom("notifications")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "notifications.monitor_id")
    .select(["notifications.uuid", "notifications.type", "notifications.fact"])
    .where("notifications.organization_id", "=", organizationId)
    .where("notifications.monitor_id", "=", monitorId)
    .where(isAboutMerged(sql.ref("notifications.incident_id"), incidentId))
    .where("notifications.event", "=", "monitor.down")
    .where("monitor_states.maintenance_until", "is", null)
    .orderBy("notifications.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? toldIn(row) : null;
}

/**
 * The notice that a monitor is up again which ended its outage in this incident, or in one that was merged into it; null where
 * there is none, or people were told something else of the monitor since.
 */
export async function findEndNotice(
  trx: Db,
  { organizationId, incidentId, monitorId }: Wanted,
): Promise<OutageNotice | null> {
  const row = await trx
    .selectFrom("notifications")
    .select(["uuid", "type", "fact", "event"])
    .select(isAboutMerged(sql.ref("notifications.incident_id"), incidentId).as("isOfIncident"))
    .where("organization_id", "=", organizationId)
    .where("monitor_id", "=", monitorId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.event === "monitor.up" && row.isOfIncident ? toldIn(row) : null;
}

function toldIn({ uuid, type, fact }: { uuid: string; type: string; fact: string | null }) {
  return fact === null ? null : { uuid, type: type as NoticeType, fact: JSON.parse(fact) as Fact };
}
