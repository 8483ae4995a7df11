import { sql } from "kysely";
import { type StatusChange, uptimePercentage } from "../../status/uptime.ts";
import { insertMany } from "../bulk.ts";
import { idIn } from "../dialect.ts";
import type { Db } from "../open.ts";
import type { StatusName } from "../schema.ts";

/** One row of the status history. `fromStatus` equals `toStatus` at the edge of a maintenance window. */
export interface TransitionRow {
  organizationId: number;
  monitorId: number;
  fromStatus: StatusName;
  toStatus: StatusName;
  at: number;
  detectedAt: number;
  reason: string | null;
  locationId: number | null;
  maintenance: boolean;
}

/** Appends to the history, in the order given. */
export async function insertTransitions(trx: Db, transitions: readonly TransitionRow[]): Promise<void> {
  await insertMany(
    trx,
    "transitions",
    transitions.map((each) => ({
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      from_status: each.fromStatus,
      to_status: each.toStatus,
      at: each.at,
      detected_at: each.detectedAt,
      reason: each.reason,
      location_id: each.locationId,
      maintenance: each.maintenance ? 1 : 0,
    })),
  );
}

/**
 * Status at `from` and every change before `to`, by monitor, in order of time; a monitor without any
 * history has none. Two index walks a monitor, so a long history costs nothing outside the range.
 */
export async function statusHistory(
  db: Db,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, StatusChange[]>> {
  const histories = new Map<number, StatusChange[]>(monitorIds.map((id) => [id, []]));
  const add = (row: { monitor_id: number; to_status: StatusName; at: number; maintenance: number }) =>
    histories
      .get(row.monitor_id)
      ?.push({ at: Math.max(row.at, from), status: row.to_status, maintenance: row.maintenance === 1 });
  for (const row of await rowsAt(db, monitorIds, from)) add(row);
  const changes = await db
    .selectFrom("transitions")
    .select(["monitor_id", "to_status", "at", "maintenance"])
    .where(idIn("monitor_id", monitorIds))
    .where("at", ">", from)
    .where("at", "<", to)
    .orderBy("monitor_id")
    .orderBy("at")
    .orderBy("id")
    .execute();
  for (const row of changes) add(row);
  return histories;
}

/** The newest row of each monitor that is not after `at`. */
async function rowsAt(db: Db, monitorIds: readonly number[], at: number) {
  return db
    .selectFrom("monitor_states")
    .innerJoin("transitions", (join) =>
      join.on(
        "transitions.id",
        "=",
        sql<number>`(select newest.id from transitions as newest
          where newest.monitor_id = monitor_states.monitor_id and newest.at <= ${at}
          order by newest.at desc, newest.id desc limit 1)`,
      ),
    )
    .select(["transitions.monitor_id", "to_status", "transitions.at", "transitions.maintenance"])
    .where(idIn("monitor_states.monitor_id", monitorIds))
    .execute();
}

/** Time-weighted uptime of each monitor between `from` and `to`, 0…100; null where nothing was known. */
export async function uptimeByMonitor(
  db: Db,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, number | null>> {
  const uptimes = new Map<number, number | null>();
  for (const [id, history] of await statusHistory(db, monitorIds, from, to)) {
    uptimes.set(id, uptimePercentage(history, from, to));
  }
  return uptimes;
}
