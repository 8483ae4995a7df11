import { sql } from "kysely";
import { decodeState } from "../../status/encode-state.ts";
import type { MonitorState } from "../../status/state.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { waiting } from "./outbox.ts";

/** A thread of which a channel is to be reminded now. */
export interface DueReminder {
  threadId: number;
  channelId: number;
  organizationId: number;
  target: string;
  /** The channel's person; null: it is the organization's. */
  userId: number | null;
  /** How long until the next one, milliseconds. */
  everyMs: number;
  /** Something about it waits to be sent anyway. */
  isBusy: boolean;
}

/** Those whose time has come, of channels that are on and confirmed. */
export async function listDueReminders(trx: Db, now: number, limit: number): Promise<DueReminder[]> {
  const rows = await trx
    .selectFrom("channel_threads as thread")
    .innerJoin("channels", "channels.id", "thread.channel_id")
    .select([
      "thread.id as threadId",
      "thread.channel_id as channelId",
      "thread.organization_id as organizationId",
      "channels.target",
      "channels.user_id as userId",
      "channels.reminder_minutes as minutes",
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
    .orderBy("thread.id")
    .limit(limit)
    .execute();
  return rows.map(({ minutes, busy, ...same }) => ({
    ...{ ...same, everyMs: minutes * 60_000, isBusy: busy === 1 },
  }));
}

/** An open outage of a thread, in an incident that nobody has acknowledged. */
export interface RemindedOutage {
  threadId: number;
  monitorId: number;
  /** Milliseconds. */
  startedAt: number;
  incidentId: number;
  state: MonitorState | null;
  /** The monitor is in a maintenance window, or people said that it is over. */
  isOnHold: boolean;
}

/** Those of these threads, in the order in which they were put there. */
export async function listRemindedOutages(trx: Db, threadIds: readonly number[]): Promise<RemindedOutage[]> {
  const rows = await trx
    .selectFrom("thread_outages as own")
    .innerJoin("affected_services as affected", (join) =>
      join
        .onRef("affected.monitor_id", "=", "own.monitor_id")
        .onRef("affected.outage_started_at", "=", "own.started_at"),
    )
    .innerJoin("incidents", "incidents.id", "affected.incident_id")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "own.monitor_id")
    .select([
      "own.thread_id as threadId",
      "own.monitor_id as monitorId",
      "own.started_at as startedAt",
      "incidents.id as incidentId",
      "incidents.resolved_at as resolvedAt",
      "monitor_states.maintenance_until as maintenanceUntil",
      "monitor_states.rules",
    ])
    .where(among(trx, "own.thread_id", threadIds))
    .where("own.ended_at", "is", null)
    .where("affected.outage_ended_at", "is", null)
    .where("incidents.acknowledged_at", "is", null)
    .orderBy("own.id")
    .execute();
  return rows.map(({ maintenanceUntil, resolvedAt, rules, ...same }) => ({
    ...same,
    state: rules === null ? null : decodeState(rules),
    isOnHold: maintenanceUntil !== null || resolvedAt !== null,
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
    .where("closed_at", "is", null)
    .where("told_at", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("thread_outages")
          .select("thread_outages.id")
          .whereRef("thread_outages.thread_id", "=", "channel_threads.id")
          .where("thread_outages.ended_at", "is", null),
      ),
    )
    .execute();
}
