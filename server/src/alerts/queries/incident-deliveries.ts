import { sql } from "kysely";
import { isAboutMerged } from "../../incidents/queries/incident-changes.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/db.ts";
import { isPostgres } from "../../platform/database/dialect.ts";
import type { ListPart } from "../../platform/database/ref.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
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
      news_id: each.pageNotificationId,
    })),
  );
