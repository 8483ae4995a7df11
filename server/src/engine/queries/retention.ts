import { type RawBuilder, sql } from "kysely";
import { type Db, detailsOf, TABLE_NAMES, type TableName } from "../../platform/database/schema.ts";
import { among, isPostgres } from "../../platform/database/sql.ts";
import type { PeriodSeconds, Retention } from "../../platform/database/table.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { HOUR_MS, hourOf, packResults, unpackResults } from "../results/pack.ts";
import { bucketStart, RESOLUTION_DETAILS, type Resolution, retentionMs } from "../results/precision.ts";
import type { StoredResult } from "../results/stored-result.ts";
import { type Pack, readPacks, savePacks } from "./packs.ts";
import { listRows } from "./results.ts";

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

/** Monitors after `afterId`, and when the oldest of their results before `before` was due: null for none. */
export async function listUnpacked(
  db: Db,
  { before, afterId, limit }: { before: number; afterId: number; limit: number },
): Promise<{ monitorId: number; oldestAt: number | null }[]> {
  return db
    .selectFrom("monitors")
    .select((select) => [
      "monitors.id as monitorId",
      select
        .selectFrom("results")
        .select("scheduled_at")
        .whereRef("results.monitor_id", "=", "monitors.id")
        .where("scheduled_at", "<", before)
        .orderBy("scheduled_at")
        .limit(1)
        .as("oldestAt"),
    ])
    .where("monitors.id", ">", afterId)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

export interface PackedSlice {
  /** Results that were packed, and packs that were written. */
  results: number;
  packs: number;
  /** The next slice begins here, milliseconds; null when there is none. */
  next: number | null;
  /** Why some were left as they are: a pack that cannot be read, a result that cannot be packed. */
  problems: unknown[];
}

/**
 * Packs a monitor's results of one hour, the oldest from `from` on, together with what is packed of that hour already; at most
 * `limit` rows. The monitor's state is locked, so that nothing is stored for it meanwhile (see withoutPacked).
 */
export async function packOldestHour(
  trx: Db,
  slice: { monitorId: number; from: number; before: number; limit: number },
): Promise<PackedSlice> {
  const { monitorId, from, before, limit } = slice;
  if (isPostgres(trx)) {
    await trx
      .selectFrom("monitor_states")
      .select("monitor_id")
      .where("monitor_id", "=", monitorId)
      .forUpdate()
      .execute();
  }
  const [oldest] = await listRows(trx, { monitorId, from, to: before, limit: 1 }, "asc");
  if (!oldest) return { results: 0, packs: 0, next: null, problems: [] };
  const hourAt = hourOf(oldest.scheduledAt);
  const to = hourAt + HOUR_MS;
  const rows = await listRows(trx, { monitorId, from: oldest.scheduledAt, to, limit }, "asc");
  const old = await readPacks(
    trx,
    { monitorId, fromHour: hourAt, to, order: "asc" },
    Number.MAX_SAFE_INTEGER,
  );
  const { packs, packed, problems } = packByLocation(hourAt, rows, old);
  await savePacks(trx, packs);
  await deleteRows(trx, packed);
  // A slice that was cut off may have cut between locations: that moment is looked at again.
  const last = rows.at(-1) as StoredResult;
  const next = rows.length === limit ? Math.max(last.scheduledAt, oldest.scheduledAt + 1) : to;
  return { results: packed.length, packs: packs.length, next: next < before ? next : null, problems };
}

function packByLocation(hourAt: number, rows: readonly StoredResult[], old: readonly Pack[]) {
  const packs: Pack[] = [];
  const packed: StoredResult[] = [];
  const problems: unknown[] = [];
  for (const [locationId, own] of Map.groupBy(rows, (row) => row.locationId)) {
    const key = { monitorId: (own[0] as StoredResult).monitorId, locationId, hourAt };
    const before = old.find((pack) => pack.locationId === locationId);
    try {
      // Of two results for the same time the packed one came first.
      const known = before ? unpackResults(key, before.data) : [];
      packs.push({ ...key, data: packResults(key, [...known, ...own]) });
      packed.push(...own);
    } catch (error) {
      problems.push(error);
    }
  }
  return { packs, packed, problems };
}

/** Removes exactly these rows of one hour, or throws: then something else has been written meanwhile. */
async function deleteRows(trx: Db, rows: readonly StoredResult[]): Promise<void> {
  let deleted = 0;
  for (const own of Map.groupBy(rows, (row) => row.locationId).values()) {
    const [first, last] = [own[0] as StoredResult, own.at(-1) as StoredResult];
    const { numDeletedRows } = await trx
      .deleteFrom("results")
      .where("monitor_id", "=", first.monitorId)
      .where("location_id", "=", first.locationId)
      .where("scheduled_at", ">=", first.scheduledAt)
      .where("scheduled_at", "<=", last.scheduledAt)
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
  }
  if (deleted === rows.length) return;
  throw new Error(`Of ${rows.length} results that were packed, ${deleted} were there to be removed.`);
}
