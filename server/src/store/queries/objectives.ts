import { sql } from "kysely";
import type { AlertState } from "../../status/burn-alert.ts";
import type { Objective } from "../../status/error-budget.ts";
import type { Db } from "../db.ts";

/** A monitor with an objective, or one of whose objective something was told. */
export interface ObjectiveOf {
  monitorId: number;
  organizationId: number;
  /** Null: it has none any more. */
  objective: Objective | null;
  /** What was told of it and is not over. */
  state: AlertState | null;
  /** Why nobody watches the monitor any more; null: it is watched. */
  unwatched: "paused" | "deleted" | null;
  /** It is in a maintenance window, or down behind another: nobody is told anything of it. */
  isHeld: boolean;
}

const DAY_MS = 86_400_000;

/**
 * After this monitor, by id: those with an objective that are watched, and are down or have changed within that part of the
 * objective's days, so that there may be something to tell; and those of which something was told. Milliseconds.
 */
export async function listBurning(
  db: Db,
  { afterId, now, part, limit }: { afterId: number; now: number; part: number; limit: number },
): Promise<ObjectiveOf[]> {
  const partMs = sql`cast(${Math.ceil(part * DAY_MS)} as bigint)`;
  const since = sql`cast(${now} as bigint) - monitors.objective_days * ${partMs}`;
  const rows = await db
    .selectFrom("monitors")
    .leftJoin("monitor_states as known", "known.monitor_id", "monitors.id")
    .leftJoin("objective_alerts as alert", "alert.monitor_id", "monitors.id")
    .select(["monitors.id as monitorId", "monitors.organization_id as organizationId"])
    .select(["monitors.objective as percent", "monitors.objective_days as days"])
    .select(["monitors.enabled", "monitors.deleted_at as deletedAt", "alert.state"])
    .select(["known.maintenance_until as maintenanceUntil", "known.suppressed_by as suppressedBy"])
    .where("monitors.id", ">", afterId)
    // By the index of those that have one.
    .where(
      sql<boolean>`monitors.id in (
        select id from monitors where objective > 0 union select monitor_id from objective_alerts)`,
    )
    .where(
      sql<boolean>`(alert.state is not null or (
        monitors.enabled = 1 and monitors.deleted_at is null and (known.status = 'down' or exists (
          select 1 from transitions as change where change.monitor_id = monitors.id and change.at > ${since}))))`,
    )
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
  return rows.map(({ percent, days, enabled, deletedAt, maintenanceUntil, suppressedBy, ...same }) => ({
    ...same,
    objective: percent > 0 ? { percent, days } : null,
    unwatched: deletedAt !== null ? "deleted" : enabled === 1 ? null : "paused",
    isHeld: maintenanceUntil !== null || suppressedBy !== null,
  }));
}

/** What was told of a monitor's objective and is not over, and since when it has been so; null: nothing. */
export async function readObjectiveAlert(
  db: Db,
  monitorId: number,
): Promise<{ state: AlertState; since: number } | null> {
  const row = await db
    .selectFrom("objective_alerts")
    .select(["state", "since"])
    .where("monitor_id", "=", monitorId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Takes a monitor's alert from one state to the next; of two that do so at once, one does. Returns whether it was this one.
 * Null: there is none.
 */
export async function moveAlert(
  trx: Db,
  { monitorId, from, to }: { monitorId: number; from: AlertState | null; to: AlertState | null },
  now: number,
): Promise<boolean> {
  if (from === null) {
    if (to === null) return false;
    const made = await trx
      .insertInto("objective_alerts")
      .values({ monitor_id: monitorId, state: to, since: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning("monitor_id")
      .executeTakeFirst();
    return made !== undefined;
  }
  const moved =
    to === null ? await endAlert(trx, monitorId, from) : await changeAlert(trx, { monitorId, from, to }, now);
  return moved.length > 0;
}

const endAlert = (trx: Db, monitorId: number, from: AlertState) =>
  trx
    .deleteFrom("objective_alerts")
    .where("monitor_id", "=", monitorId)
    .where("state", "=", from)
    .returning("monitor_id")
    .execute();

const changeAlert = (
  trx: Db,
  { monitorId, from, to }: { monitorId: number; from: AlertState; to: AlertState },
  now: number,
) =>
  trx
    .updateTable("objective_alerts")
    .set({ state: to, since: now })
    .where("monitor_id", "=", monitorId)
    .where("state", "=", from)
    .returning("monitor_id")
    .execute();
