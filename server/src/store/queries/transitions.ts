import { sql } from "kysely";
import type { Status } from "../../status/state.ts";
import { type StatusChange, uptimePercentage } from "../../status/uptime.ts";
import { type Fact, factJson, parseFact } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import { compileOnce, type Slots } from "../compile-once.ts";
import type { Db } from "../db.ts";
import { idIn, idKeys } from "../dialect.ts";
import type { TransitionTable } from "../schema/incidents.ts";

/** One row of the status history. `fromStatus` equals `toStatus` at the edge of a maintenance window. */
export interface TransitionRow {
  organizationId: number;
  monitorId: number;
  fromStatus: Status;
  toStatus: Status;
  at: number;
  detectedAt: number;
  reason: Fact | null;
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
      reason: factJson(each.reason),
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
  for (const row of await changesSince(db, { monitors: idKeys(monitorIds), from, to })) {
    const history = histories.get(row.monitor_id) as StatusChange[];
    const change = { at: Math.max(row.at, from), status: row.to_status, maintenance: row.maintenance === 1 };
    // Of changes at one moment before the range only the last is true in it.
    if (row.at <= from) history.length = 0;
    history.push(change);
  }
  return histories;
}

/** The changes of each monitor from the newest one that is not after `from`, and before `to`. */
const changesSince = compileOnce(
  (_db, { monitors, from, to }: Slots<{ monitors: string; from: number; to: number }>) =>
    sql<Pick<TransitionTable, "monitor_id" | "to_status" | "at" | "maintenance">>`
      select changes.monitor_id, changes.to_status, changes.at, changes.maintenance
      from (
        select wanted.id, coalesce((
          select max(known.at) from transitions as known where known.monitor_id = wanted.id and known.at <= ${from}
        ), ${from}) as since
        from (select cast(key as bigint) as id from json_each(${monitors})) as wanted
      ) as starts
      inner join transitions as changes
        on changes.monitor_id = starts.id and changes.at >= starts.since and changes.at < ${to}
      order by changes.monitor_id, changes.at, changes.id`,
);

/** A change of a monitor's status, with why. */
export interface StatusChangeRow extends StatusChange {
  reason: Fact | null;
}

/** The newest changes of a monitor before `to`, back to the one that holds at `from`; newest first. Milliseconds. */
export async function listStatusChanges(
  db: Db,
  { monitorId, from, to, limit }: { monitorId: number; from: number; to: number; limit: number },
): Promise<StatusChangeRow[]> {
  const held = await db
    .selectFrom("transitions")
    .select(({ fn }) => fn.max<number | null>("at").as("at"))
    .where("monitor_id", "=", monitorId)
    .where("at", "<=", from)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("transitions")
    .select(["at", "to_status as status", "maintenance", "reason"])
    .where("monitor_id", "=", monitorId)
    .where("at", ">=", held?.at ?? from)
    .where("at", "<", to)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, maintenance: row.maintenance === 1, reason: parseFact(row.reason) }));
}

/** A change of status as it was recorded, with the code of the location that tipped it. */
export type RecordedChange = Omit<TransitionRow, "organizationId" | "monitorId" | "locationId"> & {
  location: string | null;
};

/** The newest changes of a monitor before `to` (milliseconds), in the order in which they were recorded. */
export async function listTransitions(
  db: Db,
  { monitorId, to, limit }: { monitorId: number; to: number; limit: number },
): Promise<RecordedChange[]> {
  const rows = await db
    .selectFrom("transitions")
    .leftJoin("locations", "locations.id", "transitions.location_id")
    .select(["from_status as fromStatus", "to_status as toStatus", "at", "detected_at as detectedAt"])
    .select(["reason", "maintenance", "locations.code as location"])
    .where("monitor_id", "=", monitorId)
    .where("at", "<", to)
    .orderBy("at", "desc")
    .orderBy("transitions.id", "desc")
    .limit(limit)
    .execute();
  return rows
    .toReversed()
    .map((row) => ({ ...row, maintenance: row.maintenance === 1, reason: parseFact(row.reason) }));
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

/** Dates the changes after `now` of those among these monitors that have some after `limit` to `now`. Milliseconds. */
export async function correctTransitionDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("transitions")
    .set({ at: now, detected_at: now })
    .where("monitor_id", "in", (wrong) =>
      wrong
        .selectFrom("transitions")
        .select("monitor_id")
        .where(idIn("monitor_id", monitorIds))
        .where("at", ">", limit),
    )
    .where("at", ">", now)
    .execute();
}
