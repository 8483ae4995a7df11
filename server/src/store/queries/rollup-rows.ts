import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { PeriodSeconds } from "../../result/range.ts";
import type { Db } from "../db.ts";
import { among, isPostgres } from "../dialect.ts";

/** Which rows of the roll-ups: of one length, those that begin at these times (milliseconds), of these monitors. */
export interface RollupRows {
  periodSeconds: PeriodSeconds;
  buckets: readonly number[];
  monitorIds: readonly number[];
}

/**
 * These rows, to be selected from, under the table's own name, whatever lies between. Monitors whose numbers
 * are close together (an organization's on an installation of its own) are walked through; others are
 * looked up one by one.
 */
export function rowsAmong(db: Db, wanted: RollupRows): RawBuilder<unknown> {
  const { periodSeconds, buckets } = wanted;
  const ofLength = sql`select * from rollups where period_seconds = ${periodSeconds} and ${ofMonitors(db, wanted)}`;
  if (!isPostgres(db)) return sql`(${ofLength} and ${among(db, "bucket_at", buckets)}) as rollups`;
  // Bucket by bucket: left to itself, the planner reads all there is of the length. The offset binds it.
  return sql`unnest(${`{${buckets.join()}}`}::bigint[]) as bucket (start)
    cross join lateral (${ofLength} and bucket_at = bucket.start offset 0) as rollups`;
}

function ofMonitors(db: Db, { monitorIds }: RollupRows): RawBuilder<SqlBool> {
  const first = monitorIds.reduce((least, id) => Math.min(least, id), Infinity);
  const last = monitorIds.reduce((most, id) => Math.max(most, id), 0);
  if (last - first > 2 * monitorIds.length) return among(db, "monitor_id", monitorIds);
  const range = sql<SqlBool>`monitor_id between ${first} and ${last}`;
  if (last - first === monitorIds.length - 1) return range;
  if (isPostgres(db)) return sql`${range} and ${among(db, "monitor_id", monitorIds)}`;
  // The plus takes the list from the index: it only filters what is walked through.
  return sql`${range} and +monitor_id in (select value from json_each(${JSON.stringify(monitorIds)}))`;
}
