import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db.ts";
import { isPostgres } from "../dialect.ts";

/** What an order can go by that the store knows; `uptime` is computed and not among them. */
export type MonitorSort = "name" | "status" | "statusSince" | "responseTime" | "certificate" | "createdAt";

/** What needs a look first; what is paused last, whatever it was before. */
const URGENCY = sql<number>`case
  when monitors.enabled = 0 then 4
  when monitor_states.status = 'down' then 0
  when monitor_states.status = 'degraded' then 1
  when monitor_states.status = 'up' then 3
  else 2 end`;

/**
 * Terms of an ORDER BY over monitors with their states and certificates: what is not known stands
 * last either way, equals stand by name and then by number, so that pages never overlap.
 */
export function orderTerms(db: Db, sort: MonitorSort, descending: boolean): RawBuilder<unknown>[] {
  const way = descending ? sql`desc` : sql`asc`;
  // Byte by byte on both engines: the same order everywhere, and without a locale's rules five times faster.
  const name = isPostgres(db) ? sql`monitors.search_text collate "C"` : sql`monitors.search_text`;
  const known = (value: RawBuilder<unknown>) => sql`${value} ${way} nulls last`;
  const first = {
    name: [],
    status: [sql`${URGENCY} ${way}`],
    statusSince: [known(sql`monitor_states.status_since`)],
    responseTime: [known(sql`monitor_states.last_total_us`)],
    certificate: [known(sql`certificates.expires_at`)],
    createdAt: [sql`monitors.id ${way}`],
  }[sort];
  return [...first, sort === "name" ? sql`${name} ${way}` : name, sql`monitors.id`];
}
