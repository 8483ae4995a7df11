import type { Db } from "../open.ts";
import type { MonitorKind } from "./monitors.ts";

export interface StatusCounts {
  total: number;
  /** Up and degraded. */
  up: number;
  down: number;
  unknown: number;
  /** Those of `up` that are degraded, and those of `unknown` that are paused. */
  degraded: number;
  paused: number;
}

/** How many of an organization's monitors are in each status now. */
export async function countMonitorsByStatus(
  db: Db,
  organizationId: number,
  kind: MonitorKind,
): Promise<StatusCounts> {
  const rows = await ownMonitors(db, organizationId, kind)
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select((select) => [
      "monitor_states.status",
      "monitors.enabled",
      select.fn.countAll<number>().as("count"),
    ])
    .groupBy(["monitor_states.status", "monitors.enabled"])
    .execute();
  const counts: StatusCounts = { total: 0, up: 0, down: 0, unknown: 0, degraded: 0, paused: 0 };
  for (const { status, enabled, count } of rows) {
    const shown = status === "degraded" ? "up" : (status ?? "unknown");
    counts[shown] += Number(count);
    counts.total += Number(count);
    if (enabled === 0) counts.paused += Number(count);
    else if (status === "degraded") counts.degraded += Number(count);
  }
  return counts;
}

/** Sums over roll-up buckets from `from` (milliseconds) on: checks, failures, and the time of the passed ones. */
export interface CheckSums {
  checks: number;
  failures: number;
  timed: number;
  sumUs: number;
}

/**
 * What all monitors of an organization add up to, without reading a histogram: one row however many
 * monitors there are. `periodSeconds`: which roll-up to read.
 */
export async function sumOrganizationChecks(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; from: number; periodSeconds: 300 | 3600 | 86400 },
): Promise<CheckSums> {
  const row = await ownMonitors(db, which.organizationId, which.kind)
    .innerJoin("rollups", "rollups.monitor_id", "monitors.id")
    .select((select) => [
      select.fn.sum<number | null>("rollups.checks").as("checks"),
      select.fn.sum<number | null>("rollups.failures").as("failures"),
      select.fn.sum<number | null>("rollups.timed").as("timed"),
      select.fn.sum<number | null>("rollups.sum_us").as("sumUs"),
    ])
    .where("rollups.period_seconds", "=", which.periodSeconds)
    .where("rollups.bucket_at", ">=", which.from)
    .executeTakeFirstOrThrow();
  return {
    checks: Number(row.checks ?? 0),
    failures: Number(row.failures ?? 0),
    timed: Number(row.timed ?? 0),
    sumUs: Number(row.sumUs ?? 0),
  };
}

/** Numbers and names of an organization's monitors, newest first. */
export async function listMonitorNames(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; limit: number; offset: number },
): Promise<{ id: number; uuid: string; name: string }[]> {
  return ownMonitors(db, which.organizationId, which.kind)
    .select(["monitors.id", "monitors.uuid", "monitors.name"])
    .orderBy("monitors.id", "desc")
    .limit(which.limit)
    .offset(which.offset)
    .execute();
}

/** The numbers of all of an organization's monitors. */
export async function listMonitorIds(db: Db, organizationId: number, kind: MonitorKind): Promise<number[]> {
  const rows = await ownMonitors(db, organizationId, kind).select("monitors.id").execute();
  return rows.map((row) => row.id);
}

const ownMonitors = (db: Db, organizationId: number, kind: MonitorKind) =>
  db
    .selectFrom("monitors")
    .where("monitors.organization_id", "=", organizationId)
    .where("monitors.kind", "=", kind)
    .where("monitors.deleted_at", "is", null);
