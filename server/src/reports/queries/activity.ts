import { sql } from "kysely";
import { ownedMonitors } from "../../monitors/queries/listed-monitors.ts";
import type { Db } from "../../platform/database/db.ts";
import { idIn } from "../../platform/database/dialect.ts";
import type { Ref } from "../../platform/database/ref.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { type Status, shownStatus } from "../../platform/states.ts";

/** Times here are milliseconds. */
export interface StatusActivity {
  kind: "status";
  id: number;
  /** When it was found, which for the end of monitoring is late. */
  at: number;
  monitorId: number;
  monitorName: string;
  monitorKind: MonitorKind;
  fromStatus: Status;
  toStatus: Status;
  reason: MessageDescriptor | null;
  /** Found to be down still, in an ongoing outage. */
  isSameOutage: boolean;
}

interface IncidentActivity {
  kind: "incident";
  id: number;
  at: number;
  incidentId: number;
  monitorId: number | null;
  status: string;
  text: string;
  /** Null where a person wrote the text. */
  fact: MessageDescriptor | null;
}

export interface ChangeActivity {
  kind: "change";
  id: number;
  at: number;
  action: string;
  /** Its name at that time; null: not recorded, or without a name. */
  subject: string | null;
  /** Old and new value, such as a role. */
  before: string | null;
  after: string | null;
  /** Null: the account is deleted. */
  userName: string | null;
}

export type Activity = StatusActivity | IncidentActivity | ChangeActivity;

/** Newest first, without edges of maintenance windows. */
export async function listStatusActivity(
  db: Db,
  organizationId: number,
  limit: number,
): Promise<StatusActivity[]> {
  const rows = await db
    .selectFrom("transitions")
    .innerJoin("monitors", "monitors.id", "transitions.monitor_id")
    .select([
      "transitions.id",
      "transitions.at as happenedAt",
      "transitions.detected_at as detectedAt",
      "transitions.monitor_id as monitorId",
      "monitors.name as monitorName",
      "monitors.kind as monitorKind",
      "from_status as fromStatus",
      "to_status as toStatus",
      "reason",
    ])
    .where("transitions.organization_id", "=", organizationId)
    .where("monitors.deleted_at", "is", null)
    .whereRef("from_status", "!=", "to_status")
    .orderBy("transitions.id", "desc")
    .limit(limit)
    .execute();
  const found = rows.filter(({ fromStatus, toStatus }) => fromStatus === "unknown" && toStatus === "down");
  const outages = await outagesOf(db, organizationId, new Set(found.map(({ monitorId }) => monitorId)));
  return rows.map(({ happenedAt, detectedAt, ...row }) => ({
    kind: "status",
    ...row,
    reason: parseMessage(row.reason),
    at: row.toStatus === "unknown" ? happenedAt : detectedAt,
    isSameOutage:
      row.fromStatus === "unknown" &&
      row.toStatus === "down" &&
      outages.some(
        ({ monitorId, startedAt, resolvedAt }) =>
          monitorId === row.monitorId && startedAt < happenedAt && happenedAt < (resolvedAt ?? Infinity),
      ),
  }));
}

/** By incident. */
async function outagesOf(db: Db, organizationId: number, monitorIds: ReadonlySet<number>) {
  if (monitorIds.size === 0) return [];
  return db
    .selectFrom("incidents")
    .select(["monitor_id as monitorId", "started_at as startedAt", "resolved_at as resolvedAt"])
    .where("organization_id", "=", organizationId)
    .where(idIn("monitor_id", [...monitorIds]))
    .where("automatic", "=", 1)
    .execute();
}

/** Newest first. */
export async function listIncidentActivity(
  db: Db,
  organizationId: number,
  limit: number,
): Promise<IncidentActivity[]> {
  const rows = await db
    .selectFrom("incident_updates")
    .innerJoin("incidents", "incidents.id", "incident_updates.incident_id")
    .select([
      "incident_updates.id",
      "incident_updates.at",
      "incidents.id as incidentId",
      "incidents.monitor_id as monitorId",
      "incident_updates.status",
      "incident_updates.message as text",
      "incident_updates.fact",
    ])
    .where("incident_updates.organization_id", "=", organizationId)
    .orderBy("incident_updates.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ kind: "incident", ...row, fact: parseMessage(row.fact) }));
}

/** Newest first. */
export async function listChangeActivity(
  db: Db,
  organizationId: number,
  limit: number,
): Promise<ChangeActivity[]> {
  const rows = await db
    .selectFrom("audit_log")
    .leftJoin("users", "users.id", "audit_log.user_id")
    .select([
      "audit_log.id",
      "audit_log.at",
      "action",
      "subject",
      "before",
      "after",
      "users.name as userName",
    ])
    .where("audit_log.organization_id", "=", organizationId)
    .orderBy("audit_log.at", "desc")
    .orderBy("audit_log.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ kind: "change", ...row }));
}

export interface StatusCounts {
  total: number;
  up: number;
  down: number;
  unknown: number;
  /** Degraded ones of `up`, and paused ones of `unknown`. */
  degraded: number;
  paused: number;
  /** Those of `total` in an open maintenance window. */
  maintenance: number;
}

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
  const counts: StatusCounts = {
    total: 0,
    up: 0,
    down: 0,
    unknown: 0,
    degraded: 0,
    paused: 0,
    maintenance: 0,
  };
  for (const { status, enabled, maintenance, count } of rows) {
    counts[shownStatus(status ?? "unknown")] += Number(count);
    counts.total += Number(count);
    if (Number(maintenance) === 1) counts.maintenance += Number(count);
    if (enabled === 0) counts.paused += Number(count);
    else if (status === "degraded") counts.degraded += Number(count);
  }
  return counts;
}

/** By the newest change before `to`, for the period from `from`. Milliseconds. */
export interface MonitorStates {
  monitorIds: number[];
  /** Up or down for the whole period; degraded is up, maintenance is neither. */
  up: number;
  down: number;
  /** Of `monitorIds`, those that changed since `from`. */
  changedIds: number[];
}

/** One row: most monitors do not change in a day, and need no history. */
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

/** Newest first. */
export async function listMonitorNames(
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

export interface PicturedMonitor {
  id: number;
  uuid: string;
  /** `token`: part of its address; `found` false: the site has none; milliseconds. */
  icon: { token: string; found: boolean; fetchedAt: number } | null;
}

/** In the order of their ids. */
export async function listPicturedMonitors(
  db: Db,
  which: { organizationId: number; kind: MonitorKind; refs: readonly Ref[] },
): Promise<PicturedMonitor[]> {
  const ids = which.refs.flatMap((ref) => ("id" in ref ? ref.id : []));
  const uuids = which.refs.flatMap((ref) => ("uuid" in ref ? ref.uuid : []));
  // With an empty list in the condition, SQLite would read the whole organization.
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
