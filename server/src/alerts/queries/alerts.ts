import { type Selectable, type SqlBool, sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, isPostgres, lockRows } from "../../platform/database/sql.ts";
import type { AlertTable } from "../../platform/database/tables/notifications.ts";
import { inSlices, mapInTurns, takeTurns } from "../../platform/turns.ts";
import { type Alert, isInDelivery, newAlert, withoutQueue } from "../alert.ts";
import type { SentMessage } from "../policy.ts";
import { isLeased, isReleased } from "./claim-deliveries.ts";

/** An alert as it is stored. Posts are messages. */
export interface StoredAlert {
  /** 0: it is not stored yet. */
  id: number;
  organizationId: number;
  channelId: number;
  /** `incident 7`, `monitor 7`, `certificate 7`, `objective 7`. */
  subject: string;
  alert: Alert;
  /** The row of the outbox that says what is still to be delivered. */
  deliveryId: number | null;
  /** What the other side calls the first message. */
  reference: string | null;
  createdAt: number;
}

/** An alert that nothing has happened to. */
export const emptyAlert = (
  channel: { id: number; organizationId: number },
  subject: string,
  now: number,
): StoredAlert => ({
  ...{ id: 0, organizationId: channel.organizationId, channelId: channel.id, subject, alert: newAlert() },
  ...{ deliveryId: null, reference: null, createdAt: now },
});

type Row = Selectable<AlertTable>;

const fromRow = (row: Row): StoredAlert => ({
  ...{ id: row.id, organizationId: row.organization_id, channelId: row.channel_id, subject: row.subject },
  alert: { ...JSON.parse(row.data), state: row.state, reason: row.reason, nextAt: row.next_at },
  ...{ deliveryId: row.delivery_id, reference: row.reference, createdAt: row.created_at },
});

const toRow = ({ organizationId, channelId, subject, alert, ...own }: StoredAlert, now: number) => {
  const { state, reason, nextAt, ...data } = alert;
  return {
    ...{ organization_id: organizationId, channel_id: channelId, subject, state, reason },
    ...{ data: JSON.stringify(data), next_at: nextAt, reference: own.reference },
    delivery_id: nextAt === null && alert.sending === null ? null : own.deliveryId,
    ...{ created_at: own.createdAt, updated_at: now },
    resolved_at: state === "resolved" && nextAt === null && !isPending(alert) ? now : null,
  };
};

/** Whether something is on its way, or in the outbox. */
const isPending = ({ sending, posts, members }: Alert): boolean =>
  sending !== null || posts.length > 0 || members.some(isInDelivery);

const open = (db: Db) => db.selectFrom("alerts").selectAll().where("resolved_at", "is", null);

/** The alerts of these subjects that are not resolved, locked in order. Gives way to the event loop: in a storm they are thousands. */
export async function lockAlerts(trx: Db, subjects: readonly string[]): Promise<StoredAlert[]> {
  if (subjects.length === 0) return [];
  const query = (some: readonly string[]) => open(trx).where(idIn("subject", some)).orderBy("id");
  if (isPostgres(trx)) return mapInTurns(await lockRows(trx, query(subjects)).execute(), fromRow);
  const alerts: StoredAlert[] = [];
  await inSlices(subjects, SUBJECTS_AT_ONCE, async (some) => {
    for (const row of await query(some).execute()) alerts.push(fromRow(row));
  });
  return alerts;
}

const SUBJECTS_AT_ONCE = 10;

/** The alerts of a channel that are due, the first ones first, locked. */
export async function lockDueAlerts(trx: Db, channelId: number, now: number): Promise<StoredAlert[]> {
  const query = open(trx)
    .where("channel_id", "=", channelId)
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("id")
    .limit(DUE_AT_ONCE);
  return mapInTurns(await lockRows(trx, query).execute(), fromRow);
}

const DUE_AT_ONCE = 1_000;

/** The alerts that a row of the outbox speaks for, locked. */
export async function lockAlertsOfDelivery(trx: Db, deliveryId: number): Promise<StoredAlert[]> {
  const query = trx.selectFrom("alerts").selectAll().where("delivery_id", "=", deliveryId).orderBy("id");
  return (await lockRows(trx, query).execute()).map(fromRow);
}

/** The alerts that these messages are about, locked. */
export async function lockLinkedAlerts(trx: Db, deliveryIds: readonly number[]): Promise<StoredAlert[]> {
  const query = trx
    .selectFrom("alerts")
    .selectAll()
    .where("id", "in", (from) =>
      from
        .selectFrom("outbox_alerts")
        .select("alert_id")
        .where(among(trx, "delivery_id", deliveryIds)),
    )
    // What is resolved stays so where there is another one by now.
    .where(
      sql<SqlBool>`(resolved_at is null or not exists (select 1 from alerts as other where other.resolved_at is null
        and other.subject = alerts.subject and other.channel_id = alerts.channel_id))`,
    )
    .orderBy("id");
  return (await lockRows(trx, query).execute()).map(fromRow);
}

/** Adds alerts and keeps what became of others. Returns them with their numbers. */
export async function saveAlerts(
  trx: Db,
  alerts: readonly StoredAlert[],
  now: number,
): Promise<StoredAlert[]> {
  const saved: StoredAlert[] = [];
  const giveWay = takeTurns();
  for (const one of alerts) {
    await giveWay();
    const row = toRow(one, now);
    if (one.id !== 0) {
      await trx.updateTable("alerts").set(row).where("id", "=", one.id).execute();
      saved.push(one);
      continue;
    }
    const { id } = await trx.insertInto("alerts").values(row).returning("id").executeTakeFirstOrThrow();
    saved.push({ ...one, id });
  }
  return saved;
}

/**
 * After a restore: deliveries under way when the backup was made are gone with the outbox, so no notification was sent. It is due anew,
 * as things are when it is sent.
 */
export async function takeBackPending(trx: Db, isMachine: (channelId: number) => boolean): Promise<void> {
  for (let afterId = 0; ; ) {
    const rows = await open(trx).where("id", ">", afterId).orderBy("id").limit(500).execute();
    for (const { id, channel_id, data, next_at, updated_at } of rows) {
      const known = JSON.parse(data) as Alert;
      // Of people's channels the message that was on its way may have been received.
      const alert = isMachine(channel_id) ? withoutQueue(known) : known;
      const pending = JSON.stringify({ ...alert, sending: null });
      const due = { data: pending, delivery_id: null, next_at: next_at ?? updated_at };
      await trx.updateTable("alerts").set(due).where("id", "=", id).execute();
      afterId = id;
    }
    if (rows.length < 500) return;
  }
}

/** Whether a channel has alerts that wait since an attempt failed. */
export async function isAnyFailing(db: Db, channelId: number): Promise<boolean> {
  const query = db.selectFrom("alerts").select("id").where("channel_id", "=", channelId);
  const failing = query.where("reason", "=", "failing").where("next_at", "is not", null);
  return (await failing.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Has alerts sent that a clock put off which was ahead: its times are of no use, nor is the retry delay. Call it until there are
 * none: it returns whether there may be more. Milliseconds.
 */
export async function correctAlertDates(
  trx: Db,
  { now, writtenAfter }: { now: number; writtenAfter: number },
): Promise<boolean> {
  const query = trx
    .selectFrom("alerts")
    .select(["id", "data"])
    .where("next_at", ">", now)
    .where("updated_at", ">", writtenAfter)
    .orderBy("id")
    .limit(CORRECTED_AT_ONCE);
  const rows = await lockRows(trx, query).execute();
  for (const { id, data } of rows) {
    const known = JSON.stringify({ ...(JSON.parse(data) as Alert), retryAt: null });
    const due = { data: known, next_at: now, updated_at: now };
    await trx.updateTable("alerts").set(due).where("id", "=", id).execute();
  }
  return rows.length === CORRECTED_AT_ONCE;
}

const CORRECTED_AT_ONCE = 100;

/** When these are looked at again. */
export async function delayAlerts(trx: Db, ids: readonly number[], until: number): Promise<void> {
  await trx
    .updateTable("alerts")
    .set({ next_at: until })
    .where(among(trx, "id", ids))
    .execute();
}

/** Sets which alerts a message is about. */
export async function linkAlerts(trx: Db, deliveryId: number, alertIds: readonly number[]): Promise<void> {
  await trx.deleteFrom("outbox_alerts").where("delivery_id", "=", deliveryId).execute();
  const rows = alertIds.map((alertId) => ({ delivery_id: deliveryId, alert_id: alertId }));
  await insertMany(trx, "outbox_alerts", rows, "nothing");
}

/** Says of which alerts messages are, by the uuids of these. */
export async function linkByUuid(
  trx: Db,
  links: readonly { uuid: string; alertId: number }[],
): Promise<void> {
  const uuids = links.map(({ uuid }) => uuid);
  const rows = await trx.selectFrom("outbox").select(["id", "uuid"]).where(idIn("uuid", uuids)).execute();
  const ids = new Map(rows.map(({ id, uuid }) => [uuid, id]));
  const pairs = links.map(({ uuid, alertId }) => ({ delivery_id: ids.get(uuid) ?? 0, alert_id: alertId }));
  await insertMany(trx, "outbox_alerts", pairs, "nothing");
}

/** Whether any is due, or there is anything to bring them up to date with; called often, so without a transaction. */
export async function hasAlertWork(db: Db, now: number): Promise<boolean> {
  const event = await db.selectFrom("alert_events").select("id").limit(1).executeTakeFirst();
  if (event) return true;
  const due = await db
    .selectFrom("alerts")
    .select("id")
    .where("next_at", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Organizations of which no more may be sent for the moment: to their channels, and to their people's own. */
export interface FullOrganizations {
  channels: ReadonlySet<number>;
  own: ReadonlySet<number>;
}

/**
 * Channels with alerts that are due, and nothing that is being sent or could be: by id, some at a time. Not those that would have to wait
 * for their turn: what is written for them would be out of date by then.
 */
export async function listDueChannels(
  trx: Db,
  { now, limit, full }: { now: number; limit: number; full: FullOrganizations },
): Promise<number[]> {
  // One step in the index for each channel: in a storm tens of thousands are due.
  const { rows } = await sql<{ id: number | string }>`
    with recursive own (id) as (
      select min(channel_id) from alerts where next_at is not null
      union all
      select (select min(channel_id) from alerts where next_at is not null and channel_id > own.id)
      from own where own.id is not null
    )
    select channels.id from own join channels on channels.id = own.id
    where coalesce(channels.held_until, 0) <= ${now}
      and not (channels.user_id is null and ${idIn("channels.organization_id", [...full.channels])})
      and not (channels.user_id is not null and ${idIn("channels.organization_id", [...full.own])})
      and exists (select 1 from alerts where alerts.channel_id = own.id and next_at is not null and next_at <= ${now})
      and not exists (select 1 from outbox where ${isReleased} and outbox.channel_id = own.id and outbox.next_try_at <= ${now})
      and not exists (select 1 from outbox where outbox.channel_id = own.id and ${isLeased(now)})
    order by channels.id limit ${limit}`.execute(trx);
  return rows.map(({ id }) => Number(id));
}

/** Rows of the outbox that speak for alerts and whose attempt counts as lost. */
export async function listLostDeliveries(trx: Db, now: number): Promise<number[]> {
  const rows = await trx
    .selectFrom("outbox")
    .distinct()
    .innerJoin("alerts", "alerts.delivery_id", "outbox.id")
    .select("outbox.id")
    .where("outbox.state", "=", sql.lit("waiting"))
    .where("outbox.leased_until", "<=", now)
    .where("outbox.next_try_at", "<=", now)
    .execute();
  return rows.map(({ id }) => id);
}

/** When a channel's messages of the last minute got there, tests apart, and how many alerts each was about; ascending. */
export async function listRecentlySent(trx: Db, channelId: number, since: number): Promise<SentMessage[]> {
  const rows = await trx
    .selectFrom("outbox")
    .innerJoin("delivery_attempts", "delivery_attempts.delivery_id", "outbox.id")
    .leftJoin("outbox_alerts", "outbox_alerts.delivery_id", "outbox.id")
    .select("delivery_attempts.at")
    .select(({ fn }) => fn.countAll<number>().as("alerts"))
    .where("outbox.channel_id", "=", channelId)
    .where("outbox.created_at", ">", since - 86_400_000)
    // A person who has just tried a channel waits for the next alarm.
    .where((is) => is.or([is("outbox.event", "is", null), is("outbox.event", "!=", "test")]))
    .where("delivery_attempts.outcome", "=", "sent")
    .where("delivery_attempts.at", ">", since)
    .groupBy(["delivery_attempts.id", "delivery_attempts.at"])
    .orderBy("delivery_attempts.at")
    .execute();
  return rows.map(({ at, alerts }) => ({ at, alerts: Number(alerts) }));
}

/** The alerts of these subjects, resolved ones of the last 30 days too, newest first. */
export async function listAlertsOf(
  db: Db,
  subjects: readonly string[],
): Promise<(StoredAlert & { resolvedAt: number | null })[]> {
  if (subjects.length === 0) return [];
  const rows = await db
    .selectFrom("alerts")
    .selectAll()
    .where(idIn("subject", subjects))
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({ ...fromRow(row), resolvedAt: row.resolved_at }));
}

/** The monitors with an open outage in these incidents. */
export async function listOpenMembers(db: Db, incidentIds: readonly number[]): Promise<number[]> {
  if (incidentIds.length === 0) return [];
  const rows = await db
    .selectFrom("affected_services")
    .select("monitor_id as id")
    .where(among(db, "incident_id", incidentIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

/** The subjects of the alerts of these channels that are not resolved. */
export async function listOpenSubjects(db: Db, channelIds: readonly number[]): Promise<string[]> {
  if (channelIds.length === 0) return [];
  const rows = await db
    .selectFrom("alerts")
    .select("subject")
    .where(among(db, "channel_id", channelIds))
    .where("resolved_at", "is", null)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** The alert that a message is about; undefined: none, or several. */
export async function readAlertOfDelivery(
  db: Db,
  deliveryId: number,
): Promise<{ id: number; createdAt: number; reference: string | null } | undefined> {
  const rows = await db
    .selectFrom("outbox_alerts")
    .innerJoin("alerts", "alerts.id", "outbox_alerts.alert_id")
    .select(["alerts.id", "alerts.created_at as createdAt", "alerts.reference"])
    .where("outbox_alerts.delivery_id", "=", deliveryId)
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0] : undefined;
}

/** The other side knows the first message of these alerts no more. */
export async function forgetReferences(db: Db, deliveryId: number): Promise<void> {
  await db
    .updateTable("alerts")
    .set({ reference: null })
    .where("id", "in", (from) =>
      from.selectFrom("outbox_alerts").select("alert_id").where("delivery_id", "=", deliveryId),
    )
    .execute();
}
