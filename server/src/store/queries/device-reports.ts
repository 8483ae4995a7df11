import { sql } from "kysely";
import { compileOnce, type Slots } from "../compile-once.ts";
import type { Db } from "../db.ts";
import { among, idKeys } from "../dialect.ts";
import { type HotTable, insertNewTuples } from "../tuples.ts";

/** What one report of a device measured; `at`: milliseconds. */
export interface DeviceReport {
  monitorId: number;
  at: number;
  /** device/metrics/figures.ts. */
  figures: Uint8Array;
}

const REPORTS: HotTable = {
  name: "device_reports",
  columns: { monitor_id: "bigint", at: "bigint", figures: "bytea" },
  keys: ["monitor_id", "at"],
};

/** Stores reports; one of a device and a time that has a row already changes nothing. */
export async function insertReports(trx: Db, reports: readonly DeviceReport[]): Promise<void> {
  const tuples = reports.map(({ monitorId, at, figures }) => [monitorId, at, figures]);
  await insertNewTuples(trx, REPORTS, tuples);
}

export interface ReportsQuery {
  monitorId: number;
  /** Milliseconds, inclusive; `to` is exclusive. */
  from: number;
  to: number;
  limit: number;
}

/** A device's reports that are not packed, oldest first. */
export const listReports = compileOnce((db, slots: Slots<ReportsQuery>) =>
  db
    .selectFrom("device_reports")
    .select(["monitor_id as monitorId", "at", "figures"])
    .where("monitor_id", "=", slots.monitorId)
    .where("at", ">=", slots.from)
    .where("at", "<", slots.to)
    .orderBy("at")
    .limit(slots.limit),
);

/** When the newest of them was, before `to`; null: none since `from`. */
export async function newestReportAt(db: Db, query: Omit<ReportsQuery, "limit">): Promise<number | null> {
  const [row] = await newestTimes(db, query);
  return row?.at ?? null;
}

const newestTimes = compileOnce((db, slots: Slots<Omit<ReportsQuery, "limit">>) =>
  db
    .selectFrom("device_reports")
    .select("at")
    .where("monitor_id", "=", slots.monitorId)
    .where("at", ">=", slots.from)
    .where("at", "<", slots.to)
    .orderBy("at", "desc")
    .limit(1),
);

/** Devices after `afterId` that are not deleted, and when the oldest of their reports before `before` was: null for none. */
export async function listUnpackedDevices(
  db: Db,
  { before, afterId, limit }: { before: number; afterId: number; limit: number },
): Promise<{ monitorId: number; oldestAt: number | null }[]> {
  return db
    .selectFrom("monitors")
    .select((select) => [
      "monitors.id as monitorId",
      select
        .selectFrom("device_reports")
        .select("at")
        .whereRef("device_reports.monitor_id", "=", "monitors.id")
        .where("at", "<", before)
        .orderBy("at")
        .limit(1)
        .as("oldestAt"),
    ])
    .where("monitors.id", ">", afterId)
    .where("monitors.kind", "=", "device")
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

/** Removes the reports of these times. */
export async function deleteReports(trx: Db, monitorId: number, times: readonly number[]): Promise<void> {
  await trx
    .deleteFrom("device_reports")
    .where("monitor_id", "=", monitorId)
    .where(among(trx, "at", times))
    .execute();
}

/** Of each device the last report in each stretch of `stepMs` from one of `begins` on, those that are not packed. */
export async function sampleReports(
  db: Db,
  {
    monitorIds,
    begins,
    stepMs,
  }: { monitorIds: readonly number[]; begins: readonly number[]; stepMs: number },
): Promise<{ monitorId: number; begin: number; figures: Uint8Array }[]> {
  if (monitorIds.length === 0) return [];
  const numbers = (keys: readonly number[]) =>
    sql`(select cast(key as bigint) as value from json_each(${idKeys(keys)}))`;
  const { rows } = await sql<{ monitorId: number; begin: number; figures: Uint8Array }>`
    select * from (
      select device.value as "monitorId", stretch.value as begin,
        (select figures from device_reports
          where monitor_id = device.value and at >= stretch.value and at < stretch.value + ${stepMs}
          order by at desc limit 1) as figures
      from ${numbers(monitorIds)} as device cross join ${numbers(begins)} as stretch
    ) as samples
    where figures is not null`.execute(db);
  return rows;
}
