import { type SqlBool, sql } from "kysely";
import { decodeState } from "../../engine/status/encode-state.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, lockRows, type Ref } from "../../platform/database/sql.ts";
import { type MonitorKind, SEVERITIES, type Status } from "../../platform/monitor-defaults.ts";
import { type NamedMonitor, searchText } from "./monitors.ts";

/** Something by which alerts may no longer be up to date; they take it from here (alerts/inbox.ts). */
export interface NotedChange {
  organizationId: number;
  monitorId: number | null;
  incidentId: number | null;
  channelId: number | null;
  /** What is to be sent word for word, as JSON that only alerts read. */
  post: object | null;
  at: number;
}

/** One that is written; what is left out is null. */
export type NewNotedChange = Pick<NotedChange, "organizationId" | "at"> & Partial<NotedChange>;

/** Notes what happened, in the transaction in which it did. */
export async function insertNotedChanges(trx: Db, changes: readonly NewNotedChange[]): Promise<void> {
  const rows = changes.map(
    ({ organizationId, monitorId = null, incidentId = null, channelId = null, post = null, at }) => ({
      ...{ organization_id: organizationId, monitor_id: monitorId, incident_id: incidentId },
      ...{ channel_id: channelId, post: post && JSON.stringify(post), at },
    }),
  );
  await insertMany(trx, "alert_events", rows);
}

/** Monitors that people changed: how severe it is when they fail, their tags, or what they depend on. */
export const noteMonitors = (
  trx: Db,
  monitors: readonly { organizationId: number; monitorId: number }[],
  at: number,
): Promise<void> =>
  insertNotedChanges(
    trx,
    monitors.map((one) => ({ ...one, at })),
  );

/** A monitor that is to be changed, as far as that needs it. */
export interface LockedMonitor {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  target: string;
  displayTarget: string;
  description: string;
  enabled: boolean;
  tags: string[];
}

/**
 * The monitors that are meant, each once, locked in the order of their ids; those that are deleted, of
 * another kind or of another organization are not among them.
 */
export async function lockMonitors(
  trx: Db,
  which: { organizationId: number; kind: MonitorKind; refs: readonly Ref[] },
): Promise<LockedMonitor[]> {
  const ids = which.refs.flatMap((ref) => ("id" in ref ? ref.id : []));
  const uuids = which.refs.flatMap((ref) => ("uuid" in ref ? ref.uuid : []));
  const byUuid = await trx.selectFrom("monitors").select("id").where(idIn("uuid", uuids)).execute();
  const query = trx
    .selectFrom("monitors")
    .select(["id", "uuid", "organization_id as organizationId", "name", "description", "enabled", "tags"])
    .select(["target", "display_target as displayTarget"])
    .where(among(trx, "id", [...ids, ...byUuid.map(({ id }) => id)]))
    .where("organization_id", "=", which.organizationId)
    .where("kind", "=", which.kind)
    .where("deleted_at", "is", null)
    .orderBy("id");
  const rows = await lockRows(trx, query).execute();
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1, tags: JSON.parse(row.tags) }));
}

/** Pauses or resumes them, and raises their revisions, so that probes let go of them or take them on. */
export async function setMonitorsEnabled(
  trx: Db,
  ids: readonly number[],
  enabled: boolean,
  now: number,
): Promise<void> {
  await trx
    .updateTable("monitors")
    .set((set) => ({ enabled: enabled ? 1 : 0, updated_at: now, revision: set("revision", "+", 1) }))
    .where(among(trx, "id", ids))
    .execute();
}

/** Marks them as deleted: URL and name are free at once, their history goes with retention. */
export async function markMonitorsDeleted(trx: Db, ids: readonly number[], now: number): Promise<void> {
  await trx
    .updateTable("monitors")
    .set((set) => ({ deleted_at: now, updated_at: now, revision: set("revision", "+", 1), secrets: null }))
    .where(among(trx, "id", ids))
    .execute();
}

/** Gives each its tags. What is checked stays the same, and so does the revision. */
export async function saveMonitorTags(trx: Db, tagged: readonly LockedMonitor[], now: number): Promise<void> {
  const words = tagged.map((monitor) => [monitor.id, { tags: monitor.tags, search: searchText(monitor) }]);
  const byId = JSON.stringify(Object.fromEntries(words));
  await sql`update monitors set tags = words.value ->> 'tags', search_text = words.value ->> 'search', updated_at = ${now}
    from json_each(${byId}) as words where monitors.id = cast(words.key as bigint)`.execute(trx);
}

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

/** A severity as a number, the higher the more severe. */
const rankOf = (column: string) =>
  sql`case ${sql.ref(column)} ${sql.join(
    SEVERITIES.map((severity, rank) => sql`when ${severity} then ${sql.lit(rank)}`),
    sql` `,
  )} end`;

/** Of the monitors that are held back those that wait, or that nothing as severe holds any more; by number. */
export async function listReleasable(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select monitor_id as id from monitor_states as child join monitors as own on own.id = child.monitor_id
    where suppressed_by is not null and (suppressed_until is not null or not exists (
      select 1 from monitor_parents as held
      join monitors as parents on parents.id = held.parent_id
      join monitor_states as states on states.monitor_id = held.parent_id
      where held.monitor_id = child.monitor_id and held.parent_id = child.suppressed_by
        and parents.deleted_at is null and parents.enabled = 1 and states.status = 'down'
        and ${rankOf("parents.severity")} >= ${rankOf("own.severity")}))
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

/** The members of these monitors, as far as they are groups: `[group, member]`. */
export const membersOf = (db: Db, ids: readonly number[]): Promise<[number, number][]> =>
  edges(db, "group_id", "monitor_id", ids);

/** The groups that these monitors are members of: `[member, group]`. */
export const groupsOf = (db: Db, ids: readonly number[]): Promise<[number, number][]> =>
  edges(db, "monitor_id", "group_id", ids);

type End = "group_id" | "monitor_id";

/** What is deleted is no longer there. */
async function edges(db: Db, from: End, to: End, ids: readonly number[]): Promise<[number, number][]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("group_members")
    .innerJoin("monitors", "monitors.id", `group_members.${to}`)
    .select([`group_members.${from} as from`, `group_members.${to} as to`])
    .where(among(db, `group_members.${from}`, ids))
    .where("monitors.deleted_at", "is", null)
    .execute();
  return rows.map((row) => [row.from, row.to]);
}

/** These are its members from now on. */
export async function saveMembers(trx: Db, groupId: number, memberIds: readonly number[]): Promise<void> {
  await trx.deleteFrom("group_members").where("group_id", "=", groupId).execute();
  const rows = memberIds.map((id) => ({ group_id: groupId, monitor_id: id }));
  await insertMany(trx, "group_members", rows);
}

/** A member at present. */
export interface StoredMember {
  uuid: string;
  name: string;
  status: Status;
  enabled: boolean;
  maintenance: boolean;
}

/** The members of each of these groups that are not deleted, in no particular order. */
export async function readMembers(
  db: Db,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, StoredMember[]>> {
  const rows = await db
    .selectFrom("group_members")
    .innerJoin("monitors", "monitors.id", "group_members.monitor_id")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "group_members.monitor_id")
    .select(["group_id", "uuid", "name", "status", "enabled", "rules"])
    .where(among(db, "group_id", groupIds))
    .where("monitors.deleted_at", "is", null)
    .execute();
  const members = rows.map(({ group_id, uuid, name, status, enabled, rules }) => ({
    groupId: group_id,
    ...{ uuid, name, status, enabled: enabled === 1, maintenance: decodeState(rules).maintenance },
  }));
  return Map.groupBy(members, ({ groupId }) => groupId);
}

/** The watched monitors of these types. `due`: only those not looked at for an interval, whatever became of the clock. */
export async function listWatched(
  db: Db,
  { types, due }: { types: readonly string[]; due: { at: number } | null },
): Promise<number[]> {
  const intervalMs = sql`1000 * cast(monitors.interval_seconds as bigint)`;
  const rows = await db
    .selectFrom("monitors")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select("monitors.id")
    .where("type", "in", types)
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .$if(due !== null, (query) =>
      query.where(
        sql<SqlBool>`(last_check_at is null or abs(${due?.at ?? 0} - last_check_at) >= ${intervalMs})`,
      ),
    )
    .orderBy("monitors.id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these groups have members that are deleted. */
export async function groupsWithDeleted(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom("group_members")
    .innerJoin("monitors", "monitors.id", "group_members.monitor_id")
    .select("group_id")
    .distinct()
    .where(among(db, "group_id", groupIds))
    .where("monitors.deleted_at", "is not", null)
    .execute();
  return rows.map((row) => row.group_id);
}

/** A group's configuration, to be changed. */
interface LockedGroup {
  id: number;
  organizationId: number;
  kind: MonitorKind;
  type: string;
  config: object;
}

/** These groups, locked in the order of their ids; deleted ones are not there. */
export async function lockGroups(trx: Db, groupIds: readonly number[]): Promise<LockedGroup[]> {
  const query = trx
    .selectFrom("monitors")
    .select(["id", "organization_id as organizationId", "kind", "type", "config"])
    .where(among(trx, "id", groupIds))
    .where("deleted_at", "is", null)
    .orderBy("id");
  const rows = await lockRows(trx, query).execute();
  return rows.map((row) => ({ ...row, config: JSON.parse(row.config) as object }));
}

/** Takes the members out that are deleted, and gives the uuids of those that remain. */
export async function removeDeletedMembers(trx: Db, groupId: number): Promise<Set<string>> {
  const deleted = trx.selectFrom("monitors").select("id").where("deleted_at", "is not", null);
  await trx
    .deleteFrom("group_members")
    .where("group_id", "=", groupId)
    .where("monitor_id", "in", deleted)
    .execute();
  const rows = await trx
    .selectFrom("group_members")
    .innerJoin("monitors", "monitors.id", "monitor_id")
    .select("uuid")
    .where("group_id", "=", groupId)
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The group's configuration without them. What it watches of the others stays the same, and so does its revision. */
export async function saveGroupConfig(trx: Db, groupId: number, config: object): Promise<void> {
  const row = { config: JSON.stringify(config) };
  await trx.updateTable("monitors").set(row).where("id", "=", groupId).execute();
}
