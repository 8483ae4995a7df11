import { sql } from "kysely";
import { HOUR_MS } from "../../result/pack.ts";
import { bucketStart, type PeriodSeconds } from "../../result/range.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";

/**
 * Removal in slices. Each function removes at most `limit` rows, oldest first, in a time that depends
 * on `limit` alone, and returns how many it removed: fewer than `limit` means that none are left.
 */
export interface Slice {
  /** Milliseconds, exclusive. */
  before: number;
  limit: number;
}

export interface RetainedMonitor {
  id: number;
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
      "organizations.plan",
      "monitors.created_at as createdAt",
      "monitors.deleted_at as deletedAt",
    ])
    .where("monitors.id", ">", afterId)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

/** Raw results of one monitor. */
export async function deleteResultsBefore(db: Db, slice: Slice & { monitorId: number }): Promise<number> {
  const { monitorId, before, limit } = slice;
  // The last row of the slice bounds it, so that the removal walks one stretch of the primary key.
  const last = await db
    .selectFrom("results")
    .select(["scheduled_at", "location_id"])
    .where("monitor_id", "=", monitorId)
    .where("scheduled_at", "<", before)
    .orderBy("scheduled_at")
    .orderBy("location_id")
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const bound = last
    ? sql<boolean>`(scheduled_at, location_id) <= (${last.scheduled_at}, ${last.location_id})`
    : sql<boolean>`scheduled_at < ${before}`;
  return removed(db.deleteFrom("results").where("monitor_id", "=", monitorId).where(bound));
}

/** Packed hours of one monitor, those that ended by `before`. */
export async function deletePacksBefore(db: Db, slice: Slice & { monitorId: number }): Promise<number> {
  const { monitorId, before, limit } = slice;
  const lastHour = before - HOUR_MS;
  const last = await db
    .selectFrom("packs")
    .select(["hour_at", "location_id"])
    .where("monitor_id", "=", monitorId)
    .where("hour_at", "<=", lastHour)
    .orderBy("hour_at")
    .orderBy("location_id")
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const bound = last
    ? sql<boolean>`(hour_at, location_id) <= (${last.hour_at}, ${last.location_id})`
    : sql<boolean>`hour_at <= ${lastHour}`;
  return removed(db.deleteFrom("packs").where("monitor_id", "=", monitorId).where(bound));
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
  return removed(db.deleteFrom("rollups").where("period_seconds", "=", periodSeconds).where(bound));
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
  const rows = await removed(
    db
      .deleteFrom("rollups")
      .where("period_seconds", "=", periodSeconds)
      .where(among(db, "bucket_at", buckets))
      .where("monitor_id", "=", monitorId),
  );
  return { rows, next: first + count * periodMs };
}

/** Status changes of one monitor. */
export async function deleteTransitions(
  db: Db,
  slice: { monitorId: number; limit: number },
): Promise<number> {
  const oldest = db
    .selectFrom("transitions")
    .select("id")
    .where("monitor_id", "=", slice.monitorId)
    .limit(slice.limit);
  return removed(db.deleteFrom("transitions").where("id", "in", oldest));
}

/** The row of a deleted monitor, with it its state, certificate and icon. */
export async function deleteMonitorRow(db: Db, monitorId: number): Promise<void> {
  await db.deleteFrom("monitors").where("id", "=", monitorId).where("deleted_at", "is not", null).execute();
}

const LOGS = { audit_log: "at", notifications: "created_at" } as const;

/**
 * Rows of a log. Ids follow time, so the oldest are the lowest ids, and the first that is young enough
 * ends the search.
 */
export async function deleteLogBefore(db: Db, log: keyof typeof LOGS, slice: Slice): Promise<number> {
  const oldest = sql`select id from ${sql.table(log)} order by id limit ${slice.limit}`;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(log)} where id in (${oldest}) and ${sql.ref(LOGS[log])} < ${slice.before}`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

async function removed(query: {
  executeTakeFirst(): Promise<{ numDeletedRows: bigint } | undefined>;
}): Promise<number> {
  return Number((await query.executeTakeFirst())?.numDeletedRows ?? 0);
}
