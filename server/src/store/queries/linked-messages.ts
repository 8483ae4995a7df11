import type { Message } from "../../notification/channel/message.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
import { mergedOf } from "./merged-incidents.ts";
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
  const alerts = await db
    .selectFrom("outbox_alerts")
    .innerJoin("alerts", "alerts.id", "outbox_alerts.alert_id")
    .select("alerts.subject")
    .where("outbox_alerts.delivery_id", "=", row.id)
    .execute();
  const named = alerts.flatMap(({ subject }) => {
    const [kind, id] = subject.split(" ");
    return kind === "incident" ? Number(id) : [];
  });
  const { outages = [] } = JSON.parse(row.message) as Message;
  const incidentIds = await incidentsOfOutages(db, outages, [
    ...new Set([...named, ...(row.incident_id === null ? [] : [row.incident_id])]),
  ]);
  return {
    id: row.id,
    uuid,
    organizationId: row.organization_id,
    channelId: row.channel_id,
    message: row.message,
    recipient: row.recipient,
    createdAt: row.created_at,
    usedAt: row.link_used_at,
    incidentIds: incidentIds.toSorted((a, b) => a - b),
  };
}

/** In which incidents these outages stand now; those that the message was written for where none has them, or all were merged into one. */
async function incidentsOfOutages(
  db: Db,
  outages: NonNullable<Message["outages"]>,
  named: readonly number[],
): Promise<number[]> {
  if (outages.length === 0) return [...named];
  const isTold = new Set(outages.map(({ monitorId, startedAt }) => `${monitorId} ${startedAt}`));
  const rows = await db
    .selectFrom("affected_services")
    .select(["monitor_id", "incident_id", "outage_started_at"])
    .where(among(db, "monitor_id", [...new Set(outages.map(({ monitorId }) => monitorId))]))
    .where("outage_started_at", ">=", Math.min(...outages.map(({ startedAt }) => startedAt)))
    .execute();
  const found = rows.filter((row) => isTold.has(`${row.monitor_id} ${row.outage_started_at}`));
  const current = [...new Set(found.map((row) => row.incident_id))];
  const merged = current.length === 1 ? await mergedOf(db, named) : [];
  const isMerged = merged.length === 1 && merged[0] === current[0];
  return current.length === 0 || isMerged ? [...named] : current;
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
