import { sql } from "kysely";
import type { MonitorKind } from "../../monitor/monitor-defaults.ts";
import type { Db } from "../db.ts";
import { among, idIn, lockRows } from "../dialect.ts";
import { searchText } from "./monitors.ts";
import type { Ref } from "./ref.ts";

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
