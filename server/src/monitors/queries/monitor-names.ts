import { sql } from "kysely";
import { sumChecks } from "../../engine/queries/check-sums.ts";
import { ownedMonitors, uptimeByMonitor } from "../../engine/queries/transitions.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, parentUuids } from "../../platform/database/sql.ts";
import { type MonitorKind, type Severity, shownStatus } from "../../platform/monitor-defaults.ts";
import { type Monitor, monitorOf } from "./monitors.ts";

/** By what a monitor is known to people: no two of an organization and kind have the same of both. */
export interface MonitorName {
  id: number;
  uuid: string;
  target: string;
  name: string;
}

/** Some of the monitors of an organization and kind, in the order of their ids: from the one after `afterId`. */
interface PageByKind {
  organizationId: number;
  kind: MonitorKind;
  afterId: number;
  limit: number;
}

const selectPage = (db: Db, { organizationId, kind, afterId, limit }: PageByKind) =>
  db
    .selectFrom("monitors")
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .where("deleted_at", "is", null)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit);

/** What they are known by. */
export const listMonitorNames = (db: Db, page: PageByKind): Promise<MonitorName[]> =>
  selectPage(db, page).select(["id", "uuid", "target", "name"]).execute();

/** All of what is set of them; their secrets stay sealed. */
export const listMonitorSettings = async (db: Db, page: PageByKind): Promise<Monitor[]> =>
  (await selectPage(db, page).selectAll().select(parentUuids.as("parent_uuids")).execute()).map(monitorOf);

export interface MonitorSummary extends StatusCounts {
  /** Mean of the passed checks from `from` on, microseconds; null without any. */
  averageUs: number | null;
  /** Mean of the monitors' uptimes between `from` and `to`, 0…100; null while none is known. */
  averageUptime: number | null;
}

/** How an organization's monitors of a kind are doing as a whole, between two times in milliseconds. */
async function readMonitorSummary(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; from: number; to: number },
): Promise<MonitorSummary> {
  const { organizationId, kind, from, to } = which;
  const counts = await countMonitorsByStatus(db, organizationId, kind);
  const states = await readMonitorStates(db, which);
  const sums = await sumChecks(db, { monitorIds: states.monitorIds, from, now: to });
  return {
    ...counts,
    averageUs: sums.timed === 0 ? null : sums.sumUs / sums.timed,
    averageUptime: await averageUptime(db, states, { from, to }),
  };
}

/** Of those that have not changed in the whole time it is known without their history. */
async function averageUptime(
  db: Db,
  { up, down, changedIds }: MonitorStates,
  { from, to }: { from: number; to: number },
): Promise<number | null> {
  const uptimes = changedIds.length === 0 ? new Map() : await uptimeByMonitor(db, changedIds, from, to);
  let known = up + down;
  let sum = 100 * up;
  for (const uptime of uptimes.values()) {
    if (uptime === null) continue;
    known += 1;
    sum += uptime;
  }
  return known === 0 ? null : sum / known;
}

/** What decides who is notified of these monitors: their settings, state and window, and the incident that has their open outage. */
export const listMonitorTruths = (trx: Db, ids: readonly number[]) =>
  trx
    .selectFrom("monitors")
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .leftJoin("affected_services as outage", (join) =>
      join
        .onRef("outage.monitor_id", "=", "monitors.id")
        .on("outage.outage_started_at", "is not", null)
        .on("outage.outage_ended_at", "is", null),
    )
    .leftJoin("incidents", "incidents.id", "outage.incident_id")
    .select([
      ...(["monitors.id", "monitors.organization_id", "monitors.kind", "monitors.severity"] as const),
      ...(["monitors.tags", "monitors.enabled", "monitors.deleted_at", "monitor_states.rules"] as const),
      ...(["monitor_states.maintenance_until", "incidents.id as incidentId"] as const),
      ...(["incidents.resolved_at", "outage.outage_started_at"] as const),
      "outage.acknowledged as isOutageAcknowledged",
    ])
    .where(among(trx, "monitors.id", ids))
    .orderBy("monitors.id")
    .orderBy(sql`outage.id`)
    .execute();

/** What a message is about, as it was when it happened. */
export interface MessageMonitor {
  id: number;
  uuid: string;
  kind: MonitorKind;
  name: string;
  /** Of its check. */
  type: string;
  target: string;
  severity: Severity;
  tags: string[];
}

/** What a message says of monitors, by their ids. */
export async function listMessageMonitors(
  trx: Db,
  ids: readonly number[],
): Promise<Map<number, MessageMonitor>> {
  const rows = await trx
    .selectFrom("monitors")
    .select(["id", "uuid", "kind", "name", "type", "display_target", "severity", "tags"])
    .where(among(trx, "id", ids))
    .execute();
  return new Map(
    rows.map(({ display_target: target, tags, ...same }) => [
      same.id,
      { ...same, target, tags: JSON.parse(tags) as string[] },
    ]),
  );
}

/** The number of the organization's monitor that checks this target in this way, a running one first; null: there is none. */
export async function findMonitorOfTarget(
  db: Db,
  wanted: { organizationId: number; kind: MonitorKind; type: string; target: string },
): Promise<number | null> {
  const row = await db
    .selectFrom("monitors")
    .select("id")
    .where("organization_id", "=", wanted.organizationId)
    .where("kind", "=", wanted.kind)
    .where("type", "=", wanted.type)
    .where("target", "=", wanted.target)
    .where("deleted_at", "is", null)
    .orderBy("enabled", "desc")
    .orderBy("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

/** For `readInWorker`. */
export const MONITOR_SUMMARY = { name: "summary of monitors", read: readMonitorSummary };

export interface StatusCounts {
  total: number;
  /** Up and degraded. */
  up: number;
  down: number;
  unknown: number;
  /** Those of `up` that are degraded, and those of `unknown` that are paused. */
  degraded: number;
  paused: number;
  /** Those of `total` for which a maintenance window is open. */
  maintenance: number;
}

/** How many of an organization's monitors are in each status now. */
export async function countMonitorsByStatus(
  db: Db,
  organizationId: number,
  kind: MonitorKind,
): Promise<StatusCounts> {
  const rows = await ownedMonitors(db, { organizationId, kind })
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select((select) => [
      "monitor_states.status",
      "monitors.enabled",
      sql<number>`case when monitor_states.maintenance_until is null then 0 else 1 end`.as("maintenance"),
      select.fn.countAll<number>().as("count"),
    ])
    .groupBy(["monitor_states.status", "monitors.enabled", "maintenance"])
    .execute();
  const counts = { total: 0, up: 0, down: 0, unknown: 0, degraded: 0, paused: 0, maintenance: 0 };
  for (const { status, enabled, maintenance, count } of rows) {
    counts[shownStatus(status ?? "unknown")] += Number(count);
    counts.total += Number(count);
    if (Number(maintenance) === 1) counts.maintenance += Number(count);
    if (enabled === 0) counts.paused += Number(count);
    else if (status === "degraded") counts.degraded += Number(count);
  }
  return counts;
}

/** What the newest change before `to` says of an organization's monitors and of the time from `from` on. Milliseconds. */
export interface MonitorStates {
  monitorIds: number[];
  /** How many have been up, or down, for all of that time; degraded is up, maintenance is neither. */
  up: number;
  down: number;
  /** Those of `monitorIds` that have changed since `from`. */
  changedIds: number[];
}

/** Read in one row, as most monitors do not change in a day: no history need be fetched for them. */
export async function readMonitorStates(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; from: number; to: number },
): Promise<MonitorStates> {
  const { organizationId, kind, from, to } = which;
  const steady = sql`newest.at <= ${from} and newest.maintenance = 0`;
  const id = sql`cast(monitors.id as text)`;
  const { rows } = await sql<{ ids: string | null; changed: string | null; up: number; down: number }>`
    select string_agg(${id}, ',') as ids,
      string_agg(case when newest.at > ${from} then ${id} end, ',') as changed,
      count(case when ${steady} and newest.to_status in ('up', 'degraded') then 1 end) as up,
      count(case when ${steady} and newest.to_status = 'down' then 1 end) as down
    from monitors left join transitions as newest on newest.id = (
      select known.id from transitions as known
      where known.monitor_id = monitors.id and known.at < ${to}
      order by known.at desc, known.id desc limit 1)
    where monitors.organization_id = ${organizationId} and monitors.kind = ${kind}
      and monitors.deleted_at is null`.execute(db);
  const [row] = rows;
  const numbers = (text: string | null | undefined) => (text ? text.split(",").map(Number) : []);
  return {
    monitorIds: numbers(row?.ids),
    up: Number(row?.up ?? 0),
    down: Number(row?.down ?? 0),
    changedIds: numbers(row?.changed),
  };
}

/** The organization's monitors with one of these tags (lower case), or with one of these names in any case. */
export async function findTaggedOrNamed(
  db: Db,
  organizationId: number,
  { tags, names }: { tags: readonly string[]; names: readonly string[] },
): Promise<number[]> {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "name", "tags"])
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();
  return rows
    .filter(
      (row) =>
        wanted.has(row.name.toLowerCase()) ||
        (tags.length > 0 &&
          (JSON.parse(row.tags) as string[]).some((tag) => tags.includes(tag.toLowerCase()))),
    )
    .map(({ id }) => id);
}
