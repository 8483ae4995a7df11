import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
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
}

/** A message to a channel by its uuid; undefined when it is gone. */
export async function findLinkedMessage(db: Db, uuid: string): Promise<LinkedMessage | undefined> {
  const row = await db
    .selectFrom("outbox")
    .select(["id", "organization_id", "channel_id", "incident_id", "event", "message", "recipient"])
    .select(["created_at", "link_used_at"])
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
  const ids = [row, ...outages].flatMap(({ incident_id: incidentId }) => incidentId ?? []);
  return {
    id: row.id,
    uuid,
    organizationId: row.organization_id,
    channelId: row.channel_id,
    message: row.message,
    recipient: row.recipient,
    createdAt: row.created_at,
    usedAt: row.link_used_at,
    incidentIds: [...new Set(ids)].sort((a, b) => a - b),
  };
}

/** The newest unresolved incident in which one of these monitors is down; its id, null where none is. */
export async function findOpenOutageOf(db: Db, monitorIds: readonly number[]): Promise<number | null> {
  const row = await db
    .selectFrom("affected_services")
    .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
    .select("incidents.id")
    .where(idIn("affected_services.monitor_id", monitorIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .where("incidents.resolved_at", "is", null)
    .orderBy("incidents.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
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
