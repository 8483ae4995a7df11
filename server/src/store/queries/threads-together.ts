import { sql } from "kysely";
import type { Db } from "../db.ts";
import { among, idIn, lockRows } from "../dialect.ts";
import { threadsOf } from "./thread-outages.ts";

/** These threads, and those that tell of the same incidents, or of what is in one with these. */
export async function listThreadsTogether(db: Db, threadIds: readonly number[]): Promise<number[]> {
  for (let known = threadIds; ; ) {
    if (known.length === 0) return [];
    const { rows } = await sql<{ id: number | string }>`
      with shared as (
        select distinct affected.incident_id as id from thread_outages as own
          join affected_services as affected
            on affected.monitor_id = own.monitor_id and affected.outage_started_at = own.started_at
        where own.end_told_at is null and ${idIn("own.thread_id", known)}
      )
      select distinct other.thread_id as id from shared
        join affected_services as beside on beside.incident_id = shared.id
        join thread_outages as other on other.monitor_id = beside.monitor_id
          and other.started_at = beside.outage_started_at and other.end_told_at is null`.execute(db);
    const all = [...new Set([...known, ...rows.map(({ id }) => Number(id))])];
    if (all.length === known.length) return all;
    known = all;
  }
}

/** Nobody else tells in the threads of these monitors' outages, and of others beside them, until the transaction ends. Returns these threads. */
export async function lockThreads(trx: Db, monitorIds: readonly number[]): Promise<number[]> {
  const ids = await listThreadsTogether(trx, await threadsOf(trx, monitorIds));
  if (ids.length === 0) return [];
  const query = trx
    .selectFrom("channel_threads")
    .select("id")
    .where(among(trx, "id", ids))
    .orderBy("id");
  await lockRows(trx, query).execute();
  return ids;
}
