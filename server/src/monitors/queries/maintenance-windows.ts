import { sql } from "kysely";
import type { Coverable } from "../../engine/results/store-results.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { MaintenanceWindowTable } from "../../platform/database/tables/maintenance.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import type { Exception, Schedule } from "../maintenance/occurrences.ts";

/** What people set of a maintenance window. */
export interface WindowSettings extends Schedule {
  title: string;
  description: string;
  everything: boolean;
  tags: readonly string[];
  monitorIds: readonly number[];
}

export interface MaintenanceWindow extends WindowSettings {
  id: number;
  uuid: string;
  organizationId: number;
  /** When its last occurrence ends; null: there is no last one. */
  overAt: number | null;
  createdAt: number;
  updatedAt: number;
}

type Row = Omit<MaintenanceWindowTable, "id"> & { id: number };

const fromRow = (row: Row, monitorIds: readonly number[]): MaintenanceWindow => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  title: row.title,
  description: row.description,
  startsAt: row.starts_at,
  durationMs: row.duration_ms,
  timeZone: row.time_zone,
  recurrence: row.recurrence,
  until: row.until,
  exceptions: JSON.parse(row.exceptions) as Exception[],
  everything: row.everything === 1,
  tags: JSON.parse(row.tags) as string[],
  monitorIds,
  overAt: row.over_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columnsOf = (settings: WindowSettings) => ({
  title: settings.title,
  description: settings.description,
  starts_at: settings.startsAt,
  duration_ms: settings.durationMs,
  time_zone: settings.timeZone,
  recurrence: settings.recurrence,
  until: settings.until,
  exceptions: JSON.stringify(settings.exceptions),
  everything: settings.everything ? (1 as const) : (0 as const),
  tags: JSON.stringify(settings.tags),
});

/** The windows with the monitors that they name, deleted ones left out. */
async function withMonitors(db: Db, rows: readonly Row[]): Promise<MaintenanceWindow[]> {
  if (rows.length === 0) return [];
  const named = await db
    .selectFrom("maintenance_monitors")
    .innerJoin("monitors", "monitors.id", "monitor_id")
    .select(["window_id", "monitor_id"])
    .where("deleted_at", "is", null)
    .where(
      among(
        db,
        "window_id",
        rows.map(({ id }) => id),
      ),
    )
    .orderBy("monitor_id")
    .execute();
  const byWindow = Map.groupBy(named, (row) => row.window_id);
  return rows.map((row) =>
    fromRow(
      row,
      (byWindow.get(row.id) ?? []).map((one) => one.monitor_id),
    ),
  );
}

/** The windows that are not over at `after`: of all organizations, or of one. */
export async function listOpenWindows(
  db: Db,
  after: number,
  organizationId?: number,
): Promise<MaintenanceWindow[]> {
  let query = db
    .selectFrom("maintenance_windows")
    .selectAll()
    .where((where) => where.or([where("over_at", "is", null), where("over_at", ">", after)]));
  if (organizationId !== undefined) query = query.where("organization_id", "=", organizationId);
  return withMonitors(db, await query.orderBy("id").execute());
}

/** The organization's windows, the newest `limit` of them, newest first. */
export async function listWindows(
  db: Db,
  organizationId: number,
  limit: number,
): Promise<MaintenanceWindow[]> {
  const query = db
    .selectFrom("maintenance_windows")
    .selectAll()
    .where("organization_id", "=", organizationId);
  return withMonitors(db, await query.orderBy("id", "desc").limit(limit).execute());
}

export async function findWindow(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<MaintenanceWindow | null> {
  const query = db
    .selectFrom("maintenance_windows")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isRef("maintenance_windows", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  if (!row) return null;
  const [window = null] = await withMonitors(db, [row]);
  return window;
}

/** How many of the organization's windows are not over at `now`. */
export async function countOpenWindows(db: Db, organizationId: number, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("maintenance_windows")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where((where) => where.or([where("over_at", "is", null), where("over_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Adds a window and returns its id. */
export async function insertWindow(
  trx: Db,
  window: WindowSettings & { uuid: string; organizationId: number; overAt: number | null },
  now: number,
): Promise<number> {
  const { id } = await trx
    .insertInto("maintenance_windows")
    .values({
      ...columnsOf(window),
      uuid: window.uuid,
      organization_id: window.organizationId,
      over_at: window.overAt,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertNamed(trx, id, window.monitorIds);
  return id;
}

/** Replaces what people set. */
export async function saveWindow(
  trx: Db,
  window: WindowSettings & { id: number; overAt: number | null },
  now: number,
): Promise<void> {
  const { id, overAt } = window;
  await trx
    .updateTable("maintenance_windows")
    .set({ ...columnsOf(window), over_at: overAt, updated_at: now })
    .where("id", "=", id)
    .execute();
  await trx.deleteFrom("maintenance_monitors").where("window_id", "=", id).execute();
  await insertNamed(trx, id, window.monitorIds);
}

const insertNamed = (trx: Db, id: number, monitorIds: readonly number[]) =>
  insertMany(
    trx,
    "maintenance_monitors",
    monitorIds.map((monitorId) => ({ window_id: id, monitor_id: monitorId })),
  );

/** Removes a window; false when it is gone. */
export async function deleteWindow(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("maintenance_windows").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** The watched monitors that windows of these organizations may cover, and those that are in one, with what is stored of it. */
export async function listCoverable(
  db: Db,
  organizationIds: readonly number[],
): Promise<(Coverable & { maintenanceUntil: number | null })[]> {
  return db
    .selectFrom("monitors")
    .innerJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select(["monitors.id as monitorId", "organization_id as organizationId", "tags"])
    .select("maintenance_until as maintenanceUntil")
    .where("deleted_at", "is", null)
    .where((where) =>
      where.or([among(db, "organization_id", organizationIds), where("maintenance_until", "is not", null)]),
    )
    .orderBy("monitors.id")
    .execute();
}

/** These monitors, as far as windows are concerned. */
export const readCoverable = (db: Db, ids: readonly number[]): Promise<Coverable[]> =>
  db
    .selectFrom("monitors")
    .select(["id as monitorId", "organization_id as organizationId", "tags"])
    .where(among(db, "id", ids))
    .execute();

/** The names of these monitors. */
export const readWindowMonitors = (
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; uuid: string; kind: MonitorKind; name: string }[]> =>
  db
    .selectFrom("monitors")
    .select(["id", "uuid", "kind", "name"])
    .where(among(db, "id", ids))
    .where("deleted_at", "is", null)
    .orderBy(sql`lower(name)`)
    .execute();
