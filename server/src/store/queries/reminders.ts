import { sql } from "kysely";
import { decodeState } from "../../status/encode-state.ts";
import type { MonitorState } from "../../status/state.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { waiting } from "./outbox.ts";

/** A trouble of which a channel was told, and is to be reminded now. */
export interface DueReminder {
  threadId: number;
  channelId: number;
  organizationId: number;
  /** Which is down: the one that the thread is about, or else one that shares its incident. */
  monitorId: number;
  target: string;
  /** The channel's person; null: it is the organization's. */
  userId: number | null;
  /** How long until the next one, milliseconds. */
  everyMs: number;
  /** Of the outage that is open; null: it has none any more. */
  incidentId: number | null;
  outageStartedAt: number | null;
  /** Of the monitor that is down; null: none is. */
  state: MonitorState | null;
  acknowledgedAt: number | null;
  /** The monitor is in a maintenance window, or people said that it is over. */
  isOnHold: boolean;
  /** Something about it waits to be sent anyway. */
  isBusy: boolean;
}

/** The outage that a thread is about: of its monitor, or of another one in the incident which that opened. */
const openOutage = sql<number>`coalesce(
  (select own.id from affected_services as own
    where own.monitor_id = thread.monitor_id
      and own.outage_started_at is not null and own.outage_ended_at is null),
  (select min(member.id) from affected_services as first
    inner join incidents as shared on shared.id = first.incident_id and shared.monitor_id = first.monitor_id
    inner join affected_services as member on member.incident_id = shared.id
    where first.monitor_id = thread.monitor_id and shared.automatic = 1 and shared.resolved_at is null
      and member.outage_started_at is not null and member.outage_ended_at is null))`;

/** Those whose time has come, of channels that are on and confirmed. */
export async function listDueReminders(trx: Db, now: number, limit: number): Promise<DueReminder[]> {
  const rows = await trx
    .selectFrom("channel_threads as thread")
    .innerJoin("channels", "channels.id", "thread.channel_id")
    .leftJoin("affected_services as affected", (join) => join.on("affected.id", "=", openOutage))
    .leftJoin("monitor_states", "monitor_states.monitor_id", "affected.monitor_id")
    .leftJoin("incidents", "incidents.id", "affected.incident_id")
    .select([
      "thread.id as threadId",
      "thread.channel_id as channelId",
      "thread.organization_id as organizationId",
      sql<number>`coalesce(affected.monitor_id, thread.monitor_id)`.as("monitorId"),
      "channels.target",
      "channels.user_id as userId",
      "channels.reminder_minutes as minutes",
      "incidents.id as incidentId",
      "affected.outage_started_at as outageStartedAt",
      "incidents.acknowledged_at as acknowledgedAt",
      "incidents.resolved_at as resolvedAt",
      "monitor_states.maintenance_until as maintenanceUntil",
      "monitor_states.rules",
    ])
    .select(
      sql<number>`case when exists (
        select 1 from outbox where outbox.channel_id = thread.channel_id and outbox.thread_id = thread.id
          and outbox.state = ${waiting}) then 1 else 0 end`.as("busy"),
    )
    .where("thread.remind_at", "<=", now)
    .where("thread.closed_at", "is", null)
    .where("channels.enabled", "=", 1)
    .where("channels.confirmed_at", "is not", null)
    .orderBy("thread.remind_at")
    .limit(limit)
    .$narrowType<{ monitorId: number }>()
    .execute();
  return rows.map(({ minutes, maintenanceUntil, resolvedAt, busy, rules, ...same }) => ({
    ...same,
    state: rules === null ? null : decodeState(rules),
    everyMs: minutes * 60_000,
    isOnHold: maintenanceUntil !== null || resolvedAt !== null,
    isBusy: busy === 1,
  }));
}

/** Whether any is due; asked often, so without a transaction. */
export async function hasDueReminders(db: Db, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("channel_threads")
    .select("id")
    .where("remind_at", "<=", now)
    .where("closed_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When these are due next; null: not any more. */
export async function setReminders(trx: Db, threadIds: readonly number[], at: number | null): Promise<void> {
  await trx
    .updateTable("channel_threads")
    .set({ remind_at: at })
    .where(among(trx, "id", threadIds))
    .execute();
}

/** A channel's reminders begin anew, with what it says of them now. */
export async function restartReminders(
  trx: Db,
  channelId: number,
  minutes: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable("channel_threads")
    .set({ remind_at: minutes === 0 ? null : now + minutes * 60_000 })
    .where("channel_id", "=", channelId)
    .where("monitor_id", "is not", null)
    .where("closed_at", "is", null)
    .where("told_at", "is not", null)
    .execute();
}
