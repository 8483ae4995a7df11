import { type SqlBool, sql } from "kysely";
import type { CertificateReport } from "../../checks/certificate.ts";
import { parseReport } from "../../engine/queries/certificates.ts";
import { ownedMonitors, uptimeByMonitor } from "../../engine/queries/transitions.ts";
import type { AlertState } from "../../engine/status/objective.ts";
import type { Db } from "../../platform/database/schema.ts";
import {
  compileEach,
  compileOnce,
  idIn,
  idKeys,
  numberIn,
  type Ref,
  type Slots,
} from "../../platform/database/sql.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { mapInTurns, takeTurns } from "../../platform/turns.ts";
import {
  type FilterShape,
  type FilterValues,
  filtered,
  fromRow,
  type LastCheckDetails,
  type ListedMonitor,
  lastCheckDetails,
  type MonitorFilter,
  type MonitorSort,
  orderTerms,
  shapeOf,
  valuesOf,
  withState,
  withTables,
} from "./listed-monitors.ts";

/** Null: newest first. */
type MonitorOrder = { by: MonitorSort; descending: boolean } | null;

/** The monitors that fit, in this order. */
export async function readMonitorPage(
  db: Db,
  filter: MonitorFilter,
  page: { limit: number; offset: number; order?: MonitorOrder },
): Promise<ListedMonitor[]> {
  const { limit, offset, order = null } = page;
  const values = { ...valuesOf(filter), limit, offset };
  if (!order) {
    const giveWay = takeTurns();
    const found = await newest(db, shapeOf(filter), values);
    await giveWay();
    return mapInTurns(found, fromRow);
  }
  const rows = await sortedPage(db, { ...shapeOf(filter), ...order }, values);
  return readListedMonitors(
    db,
    rows.map((row) => row.id),
  );
}

type Paged = FilterValues & { limit: number; offset: number };

/** The page is found on the index alone: joining what it skips would cost more than the page. */
const newest = compileEach((db, slots: Slots<Paged>, shape: FilterShape) => {
  const page = filtered(db, shape, slots).select("monitors.id").orderBy("monitors.id", "desc");
  return withState(db)
    .where("monitors.id", "in", page.limit(slots.limit).offset(slots.offset))
    .orderBy("monitors.id", "desc");
});

/** Only the numbers are sorted: whole rows of every monitor would be carried along for a page of them. */
const sortedPage = compileEach((db, slots: Slots<Paged>, shape: FilterShape & NonNullable<MonitorOrder>) =>
  sorted(db, slots, shape).limit(slots.limit).offset(slots.offset),
);

/** The monitors with these numbers, in the order of the numbers; those that are gone are left out. */
export async function readListedMonitors(db: Db, ids: readonly number[]): Promise<ListedMonitor[]> {
  const rows = await byNumber(db, { ids: idKeys(ids) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return mapInTurns(
    ids.flatMap((id) => byId.get(id) ?? []),
    fromRow,
  );
}

const byNumber = compileOnce((db, { ids }: Slots<{ ids: string }>) =>
  withState(db).where(numberIn("monitors.id", ids)),
);

/** The numbers of all monitors that fit, by name. */
async function listMonitorIdsByName(db: Db, filter: MonitorFilter): Promise<number[]> {
  const rows = await allByName(db, shapeOf(filter), valuesOf(filter));
  return rows.map((row) => row.id);
}

const allByName = compileEach((db, slots: Slots<FilterValues>, shape: FilterShape) =>
  sorted(db, slots, { ...shape, by: "name", descending: false }),
);

const sorted = (db: Db, slots: Slots<FilterValues>, shape: FilterShape & NonNullable<MonitorOrder>) =>
  withTables(filtered(db, shape, slots))
    .select("monitors.id")
    .orderBy(sql.join(orderTerms(db, shape.by, shape.descending)));

/** How many monitors fit. */
export async function countMonitors(db: Db, filter: MonitorFilter): Promise<number> {
  const shape = shapeOf(filter);
  const values = valuesOf(filter);
  const isNarrowed = Object.values(shape).some(Boolean);
  const [row] = isNarrowed ? await counted(db, shape, values) : await readStoredCount(db, values);
  return row?.count ?? 0;
}

const readStoredCount = compileOnce((db, slots: Slots<FilterValues>) =>
  db
    .selectFrom("monitor_counts")
    .select("count")
    .where("organization_id", "=", slots.organizationId)
    .where("kind", "=", slots.kind),
);

const counted = compileEach((db, slots: Slots<FilterValues>, shape: FilterShape) =>
  filtered(db, shape, slots).select((select) => select.fn.countAll<number>().as("count")),
);

/** One monitor with what is true of it now; null as in findMonitor. */
export async function findListedMonitor(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; ref: Ref },
): Promise<ListedMonitor | null> {
  const { organizationId, kind, ref } = which;
  const [column, value] = "id" in ref ? (["id", ref.id] as const) : (["uuid", ref.uuid] as const);
  const [row] = await oneListed(db, column, { organizationId, kind, value });
  return row ? fromRow(row) : null;
}

type One = { organizationId: number; kind: MonitorKind; value: number | string };

const oneListed = compileEach((db, slots: Slots<One>, column: "id" | "uuid") =>
  withState(db)
    .where(sql<SqlBool>`monitors.${sql.ref(column)} = ${slots.value}`)
    .where("monitors.organization_id", "=", slots.organizationId)
    .where("monitors.kind", "=", slots.kind)
    .where("monitors.deleted_at", "is", null),
);

/** The last result in full, for one monitor's detail. */
export interface LastResult {
  statusCode: number | null;
  /** Null before the first check. */
  details: LastCheckDetails | null;
  /** What the last TLS hop showed; null without TLS. */
  certificateReport: CertificateReport | null;
}

/** Reads the parts of the state that only a detail shows. */
export async function readLastResult(db: Db, monitorId: number): Promise<LastResult> {
  const row = await db
    .selectFrom("monitor_states")
    .leftJoin("certificates", "certificates.monitor_id", "monitor_states.monitor_id")
    .select(["last_status_code", "last_result", "report"])
    .where("monitor_states.monitor_id", "=", monitorId)
    .executeTakeFirst();
  return {
    statusCode: row?.last_status_code ?? null,
    details: row?.last_result ? lastCheckDetails(row.last_result) : null,
    certificateReport: row?.report ? parseReport(row.report) : null,
  };
}

interface UptimePage {
  /** In order, with their uptimes, 0…100; null where nothing was known. */
  monitors: { id: number; uptime: number | null }[];
  /** How many fit on all pages together. */
  total: number;
}

/**
 * One page of the monitors that fit, by their uptime between two times in milliseconds. Uptime is not stored: that of every
 * monitor that matches is computed. Equal ones are in the order of their names; unknown ones come last either way.
 */
async function pageByUptime(
  db: Db,
  which: MonitorFilter & { from: number; to: number; limit: number; offset: number; descending: boolean },
): Promise<UptimePage> {
  const { from, to, limit, offset, descending, ...filter } = which;
  const ids = await listMonitorIdsByName(db, filter);
  const uptimes = ids.length === 0 ? new Map() : await uptimeByMonitor(db, ids, from, to);
  const all = ids.map((id) => ({ id, uptime: (uptimes.get(id) ?? null) as number | null }));
  const way = descending ? -1 : 1;
  const known = all
    .filter((each): each is { id: number; uptime: number } => each.uptime !== null)
    .sort((a, b) => way * (a.uptime - b.uptime));
  const monitors = [...known, ...all.filter(({ uptime }) => uptime === null)].slice(offset, offset + limit);
  return { monitors, total: ids.length };
}

/** For `readInWorker`. */
export const PAGE_BY_UPTIME = { name: "page by uptime", read: pageByUptime };

/** Numbers and names of an organization's monitors, newest first. */
export async function listNewestMonitors(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; limit: number; offset: number },
): Promise<{ id: number; uuid: string; name: string }[]> {
  return ownedMonitors(db, which)
    .select(["monitors.id", "monitors.uuid", "monitors.name"])
    .orderBy("monitors.id", "desc")
    .limit(which.limit)
    .offset(which.offset)
    .execute();
}

/** A monitor and its icon, if one was looked for. */
export interface PicturedMonitor {
  id: number;
  uuid: string;
  /** `token`: the end of its address; `found`: false where the site has none; milliseconds. */
  icon: { token: string; found: boolean; fetchedAt: number } | null;
}

/** Those of the monitors that are the organization's and of the kind, in the order of their ids. */
export async function listPicturedMonitors(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; refs: readonly Ref[] },
): Promise<PicturedMonitor[]> {
  const ids = which.refs.flatMap((ref) => ("id" in ref ? ref.id : []));
  const uuids = which.refs.flatMap((ref) => ("uuid" in ref ? ref.uuid : []));
  // With an empty list beside the other one SQLite would read all that the organization has.
  const conditions = [
    ...(ids.length > 0 ? [idIn("monitors.id", ids)] : []),
    ...(uuids.length > 0 ? [idIn("monitors.uuid", uuids)] : []),
  ];
  const rows = await ownedMonitors(db, which)
    .leftJoin("icons", "icons.monitor_id", "monitors.id")
    .select(["monitors.id", "monitors.uuid", "icons.token", "icons.fetched_at"])
    .select(sql<boolean | 0 | 1>`icons.content_type != ''`.as("found"))
    .where((where) => where.or(conditions))
    .orderBy("monitors.id")
    .execute();
  return rows.map(({ id, uuid, token, fetched_at: fetchedAt, found }) => ({
    id,
    uuid,
    icon: token === null || fetchedAt === null ? null : { token, fetchedAt, found: Boolean(found) },
  }));
}

/** The open alert about a monitor's objective, and since when it has been open; null: none. */
export async function readObjectiveAlert(
  db: Db,
  monitorId: number,
): Promise<{ state: AlertState; since: number } | null> {
  const row = await db
    .selectFrom("objective_alerts")
    .select(["state", "since"])
    .where("monitor_id", "=", monitorId)
    .executeTakeFirst();
  return row ?? null;
}
