import { sql } from "kysely";
import { isAboutMerged, mergedOf } from "../../incidents/queries/incident-changes.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, isPostgres, type ListPart } from "../../platform/database/sql.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { Message } from "../channels/message.ts";
import { isBehind } from "./channel-deliveries.ts";
import { dueRow } from "./outbox.ts";

/** A message to a channel about an incident. Times in milliseconds. */
export interface IncidentDelivery {
  id: number;
  uuid: string;
  channelId: number;
  channelName: string;
  channelType: string;
  /** The one member who is notified by that channel; null: it is the organization's. */
  userId: number | null;
  event: string | null;
  /** JSON. */
  message: string | null;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  failure: MessageDescriptor | null;
  /** When it, or the message that says it among other things, got there. */
  sentAt: number | null;
  nextTryAt: number;
  /** Until when nothing is sent to its channel; null: it may be. */
  heldUntil: number | null;
  /** Whether an earlier one of its thread, which goes first, is still on its way. SQLite: 0 or 1. */
  isBehind: boolean | number;
  createdAt: number;
}

/** Of an alert about an incident; others have none. */
const incidentIdOf = sql`case when alerts.subject like 'incident %' then cast(substr(alerts.subject, 10) as bigint) end`;

/** Of an incident, and of those that were merged into it: what went to the organization's channels, and to those of this person. */
const queryMessages = (db: Db, { incidentId, userId }: { incidentId: number; userId: number }) =>
  db
    .selectFrom("outbox")
    .innerJoin("channels", "channels.id", "outbox.channel_id")
    .where((is) =>
      is.or([
        isAboutMerged(sql.ref("outbox.incident_id"), incidentId),
        is("outbox.id", "in", (from) =>
          from
            .selectFrom("outbox_alerts")
            .innerJoin("alerts", "alerts.id", "outbox_alerts.alert_id")
            .select("outbox_alerts.delivery_id")
            .where(isAboutMerged(incidentIdOf, incidentId)),
        ),
      ]),
    )
    .where((is) => is.or([is("channels.user_id", "is", null), is("channels.user_id", "=", userId)]));

/** The messages about an incident, newest first. */
export async function listIncidentDeliveries(
  db: Db,
  whose: { incidentId: number; userId: number },
  { limit, offset, way }: ListPart,
): Promise<IncidentDelivery[]> {
  const rows = await queryMessages(db, whose)
    .select([
      "outbox.id",
      "outbox.uuid",
      "channels.id as channelId",
      "channels.name as channelName",
      "channels.type as channelType",
      "channels.user_id as userId",
      "channels.held_until as heldUntil",
      "outbox.event",
      "outbox.message",
      "outbox.state",
      "outbox.failure",
      "outbox.next_try_at as nextTryAt",
      "outbox.attempts",
      "outbox.created_at as createdAt",
      isBehind,
      sql<number | null>`(select max(delivery_attempts.at) from delivery_attempts
        where delivery_attempts.delivery_id = outbox.id
          and delivery_attempts.outcome = 'sent')`.as("sentAt"),
    ])
    .orderBy("outbox.id", way)
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ failure, ...row }) => ({ ...row, failure: parseMessage(failure) }));
}

/** How many there are. */
export async function countIncidentDeliveries(
  db: Db,
  whose: { incidentId: number; userId: number },
): Promise<number> {
  const { count } = await queryMessages(db, whose)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The alerts in which these channels were sent messages that name one of these outages, within that time. Milliseconds. */
export async function listAlertsNaming(
  db: Db,
  about: {
    channels: readonly { id: number }[];
    outages: readonly { monitorId: number | null; startedAt: number }[];
    from: number;
    until: number;
  },
): Promise<{ id: number; subject: string }[]> {
  const { channels, from, until } = about;
  if (channels.length === 0) return [];
  const rows = await db
    .selectFrom("outbox")
    .innerJoin("outbox_alerts", "outbox_alerts.delivery_id", "outbox.id")
    .innerJoin("alerts", "alerts.id", "outbox_alerts.alert_id")
    .select(["alerts.id", "alerts.subject", "outbox.message"])
    .where(
      among(
        db,
        "outbox.channel_id",
        channels.map(({ id }) => id),
      ),
    )
    .where("outbox.created_at", ">=", from)
    .where("outbox.created_at", "<=", until)
    .execute();
  const keys = new Set(about.outages.map(keyOf));
  const isNamed = (message: string | null) =>
    ((JSON.parse(message ?? "{}") as Partial<Message>).outages ?? []).some((one) => keys.has(keyOf(one)));
  return rows.flatMap(({ message, ...alert }) => (isNamed(message) ? alert : []));
}

const keyOf = ({ monitorId, startedAt }: { monitorId: number | null; startedAt: number }): string =>
  `${monitorId} ${startedAt}`;

/** Messages about monitors in an incident go with their outages to others. `into`: ids of these, by those of the monitors. */
export async function moveIncidentDeliveries(
  trx: Db,
  from: number,
  into: ReadonlyMap<number, number>,
): Promise<void> {
  if (into.size === 0) return;
  const about = isPostgres(trx)
    ? sql<number>`cast(outbox.message::json -> 'monitor' ->> 'id' as bigint)`
    : sql<number>`json_extract(outbox.message, '$.monitor.id')`;
  const rows = await trx
    .selectFrom("outbox")
    .select(["id", about.as("monitorId")])
    .where(isAboutMerged(sql.ref("outbox.incident_id"), from))
    .execute();
  const moves = rows.flatMap(({ id, monitorId }) => {
    const incidentId = into.get(Number(monitorId));
    return incidentId === undefined ? [] : [[id, incidentId] as const];
  });
  if (moves.length === 0) return;
  await sql`update outbox set incident_id = cast(cast(moves.value as text) as bigint)
    from json_each(${JSON.stringify(Object.fromEntries(moves))}) as moves
    where outbox.id = cast(moves.key as bigint)`.execute(trx);
}

/** Something for the subscriber of a status page: an update, or the request for consent. */
interface NewSubscriberDelivery {
  uuid: string;
  organizationId: number;
  subscriberId: number;
  pageNotificationId: number | null;
  event: string;
  /** Encrypted; empty: the update is complete without it. */
  content: string;
  givesUpAt: number;
}

/** Adds rows for subscribers, due at once, without their addresses, so that these are gone with the subscriber. */
export const insertSubscriberDeliveries = (
  trx: Db,
  deliveries: readonly NewSubscriberDelivery[],
  now: number,
): Promise<void> =>
  insertMany(
    trx,
    "outbox",
    deliveries.map((each) => ({
      ...dueRow(each, now),
      channel: "subscriber" as const,
      recipient: "",
      content: each.content,
      subscriber_id: each.subscriberId,
      page_notification_id: each.pageNotificationId,
    })),
  );

/** A message whose link is being used. */
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
  /** Numbers of the incidents that have its outages now, or were merged since. */
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

/** In which incidents these outages are now; those that the message was written for where none has them, or all were merged into one. */
async function incidentsOfOutages(
  db: Db,
  outages: NonNullable<Message["outages"]>,
  named: readonly number[],
): Promise<number[]> {
  if (outages.length === 0) return [...named];
  const isMentioned = new Set(outages.map(({ monitorId, startedAt }) => `${monitorId} ${startedAt}`));
  const rows = await db
    .selectFrom("affected_services")
    .select(["monitor_id", "incident_id", "outage_started_at"])
    .where(among(db, "monitor_id", [...new Set(outages.map(({ monitorId }) => monitorId))]))
    .where("outage_started_at", ">=", Math.min(...outages.map(({ startedAt }) => startedAt)))
    .execute();
  const found = rows.filter((row) => isMentioned.has(`${row.monitor_id} ${row.outage_started_at}`));
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

/** Uses the link of a message up; false when it was used already. */
export async function useLink(trx: Db, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("outbox")
    .set({ link_used_at: now })
    .where("id", "=", id)
    .where("link_used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
