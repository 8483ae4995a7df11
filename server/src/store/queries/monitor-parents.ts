import { sql } from "kysely";
import { decodeState } from "../../status/encode-state.ts";
import type { Parent } from "../../status/suppression.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, idIn } from "../dialect.ts";
import type { NamedMonitor } from "./monitors.ts";

/** It depends on these from now on. */
export async function saveParents(trx: Db, monitorId: number, parentIds: readonly number[]): Promise<void> {
  await trx.deleteFrom("monitor_parents").where("monitor_id", "=", monitorId).execute();
  const rows = parentIds.map((id) => ({ monitor_id: monitorId, parent_id: id }));
  await insertMany(trx, "monitor_parents", rows);
}

/**
 * Those of `startIds` from which a way leads to the monitor: by what they depend on, and from groups to their members, at
 * whatever distance.
 */
export async function leadingTo(db: Db, startIds: readonly number[], monitorId: number): Promise<number[]> {
  const { rows } = await sql<{ lead: number }>`
    with recursive own(id) as (
      select id from monitors
      where organization_id = (select organization_id from monitors where id = ${monitorId})
    ), edges(child, parent) as (
      select monitor_id, parent_id from monitor_parents where monitor_id in (select id from own)
      union all select group_id, monitor_id from group_members where group_id in (select id from own)
    ), reached(lead, id) as (
      select id, id from monitors where ${idIn("id", startIds)}
      union select reached.lead, edges.parent from reached join edges on edges.child = reached.id
    )
    select distinct lead from reached where id = ${monitorId} order by lead`.execute(db);
  return rows.map(({ lead }) => Number(lead));
}

/** Of these monitors those that depend on others. */
export async function dependingAmong(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("monitor_parents")
    .select("monitor_id as id")
    .distinct()
    .where(among(db, "monitor_id", ids))
    .execute();
  return rows.map(({ id }) => id);
}

/** What each of these depends on, as far as it is watched. */
export async function readParents(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Parent[]>> {
  const rows = await watchedParents(db)
    .select(["monitor_parents.monitor_id as child", "monitors.id", "monitors.name", "monitor_states.rules"])
    .select(["interval_seconds", "timeout_seconds", "recheck_delay_seconds"])
    .where(among(db, "monitor_parents.monitor_id", ids))
    .orderBy("monitors.id")
    .execute();
  const parents = rows.map(({ child, id, name, rules, ...row }) => ({
    ...{ child, id, name, state: decodeState(rules), intervalMs: row.interval_seconds * 1000 },
    ...{ timeoutMs: row.timeout_seconds * 1000, recheckDelayMs: row.recheck_delay_seconds * 1000 },
  }));
  return Map.groupBy(parents, ({ child }) => child);
}

const watchedParents = (db: Db) =>
  db
    .selectFrom("monitor_parents")
    .innerJoin("monitors", "monitors.id", "monitor_parents.parent_id")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "monitor_parents.parent_id")
    .where("monitors.deleted_at", "is", null)
    .where("monitors.enabled", "=", 1);

/** Of the monitors that are held back those that wait, or that nothing holds any more; by number. */
export async function listReleasable(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select monitor_id as id from monitor_states as child
    where suppressed_by is not null and (suppressed_until is not null or not exists (
      select 1 from monitor_parents as held
      join monitors as parents on parents.id = held.parent_id
      join monitor_states as states on states.monitor_id = held.parent_id
      where held.monitor_id = child.monitor_id and held.parent_id = child.suppressed_by
        and parents.deleted_at is null and parents.enabled = 1 and states.status = 'down'))
    order by monitor_id`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/**
 * Of these monitors, each with what it depends on, of groups their members, and with itself where others depend on it:
 * `[monitor, parent, its name]`.
 */
export async function readDependencies(
  db: Db,
  ids: readonly number[],
): Promise<{ monitorId: number; parentId: number; name: string }[]> {
  const { rows } = await sql<{ monitorId: number; parentId: number; name: string }>`
    with edges(child, parent) as (
      select monitor_id, parent_id from monitor_parents union select group_id, monitor_id from group_members
    )
    select child as "monitorId", parent as "parentId", name from edges join monitors on monitors.id = parent
      where deleted_at is null and ${idIn("child", ids)}
    union
    select parent, parent, name from edges join monitors on monitors.id = parent
      where deleted_at is null and ${idIn("parent", ids)}`.execute(db);
  return rows.map(({ monitorId, parentId, name }) => ({
    ...{ monitorId: Number(monitorId), parentId: Number(parentId), name },
  }));
}

/** What is held back because these monitors are down, also behind others that are held back themselves; oldest first. */
export async function listHeldBack(db: Db, ids: readonly number[]): Promise<NamedMonitor[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<NamedMonitor>`
    with recursive held(id) as (
      select monitor_id from monitor_states where ${idIn("suppressed_by", ids)} and suppressed_until is null
      union select states.monitor_id from monitor_states as states
      join held on states.suppressed_by = held.id where states.suppressed_until is null
    )
    select monitors.id, uuid, kind, name from held join monitors on monitors.id = held.id
    where deleted_at is null order by monitors.id`.execute(db);
  return rows;
}
