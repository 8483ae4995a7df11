import { type RawBuilder, sql } from "kysely";
import { type Db, detailsOf, TABLE_NAMES, type TableName } from "../../platform/database/schema.ts";
import { among, isPostgres } from "../../platform/database/sql.ts";
import type { PeriodSeconds, Retention } from "../../platform/database/table.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { bucketStart, RESOLUTION_DETAILS, type Resolution, retentionMs } from "../results/precision.ts";

type RetentionBy<Key extends string> = Extract<Retention, Record<Key, unknown>>;

/** The tables whose retention is `key`. */
const tablesBy = <Key extends string>(key: Key): { name: TableName; retention: RetentionBy<Key> }[] =>
  TABLE_NAMES.map((name) => ({ name, retention: detailsOf(name).retention })).filter(
    (table): table is { name: TableName; retention: RetentionBy<Key> } =>
      typeof table.retention === "object" && key in table.retention,
  );

/** Tables whose rows go by age alone. */
export const AGED_TABLES = tablesBy("days");
/** Tables of monitors' raw results. */
export const RAW_TABLES = tablesBy("rawSince");
/** Tables of which a monitor takes its own rows along. */
export const MONITORS_OWN = TABLE_NAMES.filter((name) => {
  const { retention } = detailsOf(name);
  return retention === "with its monitor" || (typeof retention === "object" && "ofMonitor" in retention);
});
/** Days that roll-ups are retained, by the length of their period; those of other lengths stay for ever. */
export const ROLLUP_DAYS = tablesBy("daysByPeriod").flatMap(({ retention }) =>
  Object.entries(retention.daysByPeriod).map(
    ([period, days]) => [Number(period) as PeriodSeconds, days] as const,
  ),
);

/**
 * Removal in slices. Each function removes at most `limit` rows, oldest first, in a time that depends
 * on `limit` alone, and returns how many it removed: fewer than `limit` means that none are left.
 */
interface Slice {
  /** Milliseconds, exclusive. */
  before: number;
  limit: number;
}

export interface RetainedMonitor {
  id: number;
  kind: MonitorKind;
  plan: string;
  createdAt: number;
  deletedAt: number | null;
}

/** Monitors after `afterId` in the order of their ids, deleted ones included, with the plan that pays for their history. */
export async function listRetainedMonitors(
  db: Db,
  afterId: number,
  limit: number,
): Promise<RetainedMonitor[]> {
  return db
    .selectFrom("monitors")
    .innerJoin("organizations", "organizations.id", "monitors.organization_id")
    .select([
      "monitors.id",
      "monitors.kind",
      "organizations.plan",
      "monitors.created_at as createdAt",
      "monitors.deleted_at as deletedAt",
    ])
    .where("monitors.id", ">", afterId)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

/** Rows of a table of raw results, of one monitor. */
export async function deleteRawBefore(
  db: Db,
  { name, retention: { rawSince, spanMs, beside = "location_id" } }: (typeof RAW_TABLES)[number],
  { monitorId, before, limit }: Slice & { monitorId: number },
): Promise<number> {
  const [table, at, other, newest] = [sql.table(name), sql.ref(rawSince), sql.ref(beside), before - spanMs];
  // The last row of the slice bounds it, so that the removal walks one range of the primary key.
  const { rows } = await sql<{ at: number; other: number | string }>`
    select ${at} as at, ${other} as other from ${table} where monitor_id = ${monitorId} and ${at} <= ${newest}
    order by ${at}, ${other} limit 1 offset ${limit - 1}`.execute(db);
  const bound = rows[0]
    ? sql`(${at}, ${other}) <= (${rows[0].at}, ${rows[0].other})`
    : sql`${at} <= ${newest}`;
  return removed(db, sql`delete from ${table} where monitor_id = ${monitorId} and ${bound}`);
}

/**
 * A device's packed metrics of one resolution that are past their retention, or all of them. What was reported in an hour
 * of which a report still waits to be packed stays until it is: its roll-ups are made of both.
 */
export async function deleteDevicePacks(
  db: Db,
  {
    monitorId,
    resolution,
    now,
    limit,
  }: { monitorId: number; resolution: Resolution; now: number; limit: number },
): Promise<number> {
  const { seconds, packMs } = RESOLUTION_DETAILS[resolution];
  const newest = now - retentionMs(resolution) - packMs;
  const own = sql`monitor_id = ${monitorId} and resolution = ${seconds}`;
  const isNeeded = sql`exists (select 1 from device_reports as report where report.monitor_id = ${monitorId}
    and report.at >= device_packs.begins_at and report.at < device_packs.begins_at + ${packMs})`;
  const isOver = resolution === "raw" ? sql`and not ${isNeeded}` : sql``;
  return removed(
    db,
    sql`delete from device_packs where ${own} and begins_at in (
      select begins_at from device_packs where ${own} and begins_at <= ${newest} ${isOver}
      order by begins_at limit ${limit})`,
  );
}

const MINUTE_MS = 60_000;
/** Minutes before and after the start of an incident whose snapshots are stored with it. */
const RETAINED_BEFORE_MS = 10 * MINUTE_MS;
const RETAINED_AFTER_MS = 5 * MINUTE_MS;

/**
 * Removes snapshots from before `before`, but for those around the start of incidents of the device, and of what is linked to
 * it. At most `limit`; answers how many.
 */
export async function deleteProcessSamples(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select monitor_id, minute_at from device_process_samples as samples
      where minute_at < ${before} and not exists (
        select 1 from affected_services as affected
        join incidents on incidents.id = affected.incident_id
        where (affected.monitor_id = samples.monitor_id or affected.monitor_id in (
            select links.monitor_id from device_links as links where links.device_id = samples.monitor_id))
          and incidents.started_at between samples.minute_at - ${RETAINED_AFTER_MS} and samples.minute_at + ${RETAINED_BEFORE_MS})
      limit ${limit})
    delete from device_process_samples where (monitor_id, minute_at) in (select monitor_id, minute_at from old) returning 1 as count`.execute(
    db,
  );
  return rows.length;
}

/** Roll-ups of one length, of all monitors. */
export async function deleteRollupsBefore(
  db: Db,
  slice: Slice & { periodSeconds: PeriodSeconds },
): Promise<number> {
  const { periodSeconds, before, limit } = slice;
  const last = await db
    .selectFrom("rollups")
    .select(["bucket_at", "monitor_id", "location_id"])
    .where("period_seconds", "=", periodSeconds)
    .where("bucket_at", "<", before)
    .orderBy("bucket_at")
    .orderBy("monitor_id")
    .orderBy("location_id")
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const bound = last
    ? sql<boolean>`(bucket_at, monitor_id, location_id) <= (${last.bucket_at}, ${last.monitor_id}, ${last.location_id})`
    : sql<boolean>`bucket_at < ${before}`;
  const { numDeletedRows } = await db
    .deleteFrom("rollups")
    .where("period_seconds", "=", periodSeconds)
    .where(bound)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** One monitor's roll-ups in the `limit` buckets from `from` on; returns where the next slice begins. */
export async function deleteMonitorRollups(
  db: Db,
  slice: { monitorId: number; periodSeconds: PeriodSeconds; from: number; to: number; limit: number },
): Promise<{ rows: number; next: number }> {
  const { monitorId, periodSeconds, to, limit } = slice;
  const periodMs = periodSeconds * 1000;
  const first = bucketStart(slice.from, periodSeconds);
  const count = Math.min(limit, Math.max(0, Math.ceil((to - first) / periodMs)));
  const buckets = Array.from({ length: count }, (_, i) => first + i * periodMs);
  const { numDeletedRows } = await db
    .deleteFrom("rollups")
    .where("period_seconds", "=", periodSeconds)
    .where(among(db, "bucket_at", buckets))
    .where("monitor_id", "=", monitorId)
    .executeTakeFirstOrThrow();
  return { rows: Number(numDeletedRows), next: first + count * periodMs };
}

/** Rows of one monitor. */
export const deleteOfMonitor = (
  db: Db,
  table: TableName,
  { monitorId, limit }: { monitorId: number; limit: number },
): Promise<number> => {
  const some = sql`select id from ${sql.table(table)} where monitor_id = ${monitorId} limit ${limit}`;
  return removed(db, sql`delete from ${sql.table(table)} where id in (${some})`);
};

/** The row of a deleted monitor, with it its state, certificate and icon. */
export async function deleteMonitorRow(db: Db, monitorId: number): Promise<void> {
  await db.deleteFrom("monitors").where("id", "=", monitorId).where("deleted_at", "is not", null).execute();
}

/** Rows that are old enough, the oldest first: whatever a clock that was ahead wrote before them is passed by. */
export async function deleteAged(
  db: Db,
  { name, retention: { since } }: (typeof AGED_TABLES)[number],
  { upTo, limit }: { upTo: number; limit: number },
): Promise<number> {
  const [table, at] = [sql.table(name), sql.ref(since)];
  const lock = isPostgres(db) ? sql`for update` : sql``;
  return removed(
    db,
    sql`delete from ${table} where id in (
      select id from ${table} where ${at} <= ${upTo} order by ${at}, id limit ${limit} ${lock})`,
  );
}

const removed = async (db: Db, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0);
