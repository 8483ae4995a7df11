import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
import { lastTriedAt } from "./delivery-attempts.ts";
import { CONFIRMATION } from "./outbox.ts";

/** A message whose link somebody has. */
export interface LinkedMessage {
  id: number;
  uuid: string;
  organizationId: number;
  channelId: number;
  /** JSON. */
  message: string;
  /** Where it was sent to. */
  recipient: string;
  createdAt: number;
  usedAt: number | null;
  /** Numbers of the incidents that have now what it tells of, or were merged since. */
  incidentIds: number[];
  /** Those of them that it went out for, whatever had become of other outages that it told of. */
  ownIncidentIds: number[];
  /** The outages that it said have begun (ids in affected_services); of many messages in one it is not kept. */
  outageIds: number[];
}

/** A message to a channel by its uuid; undefined when it is gone. */
export async function findLinkedMessage(db: Db, uuid: string): Promise<LinkedMessage | undefined> {
  const row = await db
    .selectFrom("outbox")
    .select(["id", "organization_id", "channel_id", "incident_id", "event", "message", "recipient"])
    .select(["created_at", "link_used_at", "thread_id", lastTriedAt.as("triedAt")])
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  if (!row || row.organization_id === null || row.channel_id === null || row.message === null)
    return undefined;
  const digested = await db
    .selectFrom("outbox")
    .select(["incident_id", "event"])
    .where("digest_id", "=", row.id)
    .execute();
  // What people write about an incident gets no link by an outage beside it.
  const outages = digested.filter(({ event }) => !event?.startsWith("incident."));
  const begun = row.thread_id === null ? [] : await listToldOutages(db, row.thread_id, row.triedAt);
  const idsOf = (all: readonly { incident_id: number | null }[]) =>
    [...new Set(all.flatMap(({ incident_id: incidentId }) => incidentId ?? []))].sort((a, b) => a - b);
  return {
    id: row.id,
    uuid,
    organizationId: row.organization_id,
    channelId: row.channel_id,
    message: row.message,
    recipient: row.recipient,
    createdAt: row.created_at,
    usedAt: row.link_used_at,
    incidentIds: idsOf([row, ...outages, ...begun]),
    ownIncidentIds: idsOf([row, ...outages]),
    outageIds: begun.map(({ id }) => id),
  };
}

/** The outages that a thread told of by then, wherever they are now. */
async function listToldOutages(
  db: Db,
  threadId: number,
  triedAt: number | null,
): Promise<{ id: number; incident_id: number }[]> {
  if (triedAt === null) return [];
  return db
    .selectFrom("thread_outages as told")
    .innerJoin("affected_services as affected", (join) =>
      join
        .onRef("affected.monitor_id", "=", "told.monitor_id")
        .onRef("affected.outage_started_at", "=", "told.started_at"),
    )
    .select(["affected.id", "affected.incident_id"])
    .where("told.thread_id", "=", threadId)
    .where("told.told_at", "<=", triedAt)
    .orderBy("told.id")
    .execute();
}

/** In which unresolved incident each of these monitors is down now; ids, by the monitor's. */
export async function findOpenIncidents(db: Db, monitorIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("affected_services")
    .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
    .select(["affected_services.monitor_id as monitorId", "incidents.id"])
    .where(idIn("affected_services.monitor_id", monitorIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .where("incidents.resolved_at", "is", null)
    .orderBy("incidents.id")
    .execute();
  return new Map(rows.map(({ monitorId, id }) => [Number(monitorId), id]));
}

/** Uses the link of a message up; false when somebody else did first. */
export async function useLink(trx: Db, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("outbox")
    .set({ link_used_at: now })
    .where("id", "=", id)
    .where("link_used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** That an address was asked outlives the channel, which is to be deleted: asking it again is limited. */
export async function keepQuestions(db: Db, channelIds: readonly number[]): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ channel_id: null })
    .where(among(db, "channel_id", channelIds))
    .where("event", "=", CONFIRMATION)
    .execute();
}
