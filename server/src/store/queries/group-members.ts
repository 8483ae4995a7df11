import { type SqlBool, sql } from "kysely";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import { decodeState } from "../../status/encode-state.ts";
import type { Status } from "../../status/state.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { among, lockRows } from "../dialect.ts";

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

/** A member as it stands. */
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
export interface LockedGroup {
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
