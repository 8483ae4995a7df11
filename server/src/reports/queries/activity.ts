import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";
import type { MonitorKind, Status } from "../../platform/monitor-defaults.ts";

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
  descriptor: MessageDescriptor | null;
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
      "incident_updates.descriptor",
    ])
    .where("incident_updates.organization_id", "=", organizationId)
    .orderBy("incident_updates.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ kind: "incident", ...row, descriptor: parseMessage(row.descriptor) }));
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
