import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { PeriodSeconds } from "../../result/range.ts";
import { among, isPostgres } from "../dialect.ts";
import type { Db } from "../open.ts";

/** Which rows of the roll-ups: of one length, those that begin at these times (milliseconds), of these monitors. */
export interface RollupRows {
  periodSeconds: PeriodSeconds;
  buckets: readonly number[];
  monitorIds: readonly number[];
}

/**
 * The condition for them, whatever lies between. Monitors whose numbers are close together (an
 * organization's on an installation of its own) are walked through; others are looked up one by one.
 */
export function isAmong(db: Db, { periodSeconds, buckets, monitorIds }: RollupRows): RawBuilder<SqlBool> {
  const monitors = ofMonitors(db, monitorIds);
  return sql`period_seconds = ${periodSeconds} and ${among(db, "bucket_at", buckets)} and ${monitors}`;
}

function ofMonitors(db: Db, monitorIds: readonly number[]): RawBuilder<SqlBool> {
  const first = monitorIds.reduce((least, id) => Math.min(least, id), Infinity);
  const last = monitorIds.reduce((most, id) => Math.max(most, id), 0);
  if (isPostgres(db) || last - first > 2 * monitorIds.length) return among(db, "monitor_id", monitorIds);
  const range = sql<SqlBool>`monitor_id between ${first} and ${last}`;
  if (last - first === monitorIds.length - 1) return range;
  // The plus takes the list from the index: it only filters what is walked through.
  return sql`${range} and +monitor_id in (select value from json_each(${JSON.stringify(monitorIds)}))`;
}
