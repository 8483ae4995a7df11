import { sql } from "kysely";
import type { Impact, Severity } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { type AffectedService, readAffectedServices } from "./affected-services.ts";
import { isRef, type Ref } from "./ref.ts";

/** Times in milliseconds. */
export interface Incident {
  id: number;
  uuid: string;
  organizationId: number;
  /** The monitor whose outage opened it; null: opened by a person. */
  monitorId: number | null;
  monitorUuid: string | null;
  title: string;
  description: string;
  /** What title and description say, where the service itself wrote them. */
  fact: Fact | null;
  status: string;
  severity: Severity;
  impact: Impact;
  affectedServices: AffectedService[];
  startedAt: number;
  detectedAt: number;
  resolvedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface IncidentFilter {
  organizationId: number;
  status?: string | undefined;
  severity?: Severity | undefined;
}

/** The incidents that fit, newest first. */
export async function listIncidents(
  db: Db,
  filter: IncidentFilter,
  page: { limit: number; offset: number },
): Promise<Incident[]> {
  const rows = await shown(db, filter)
    .orderBy("incidents.id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return fromRows(db, rows);
}

/** How many incidents fit. */
export async function countIncidents(db: Db, filter: IncidentFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One incident; null when it is unknown or another organization's. */
export async function findIncident(db: Db, organizationId: number, ref: Ref): Promise<Incident | null> {
  const row = await shown(db, { organizationId }).where(isRef("incidents", ref)).executeTakeFirst();
  return row ? ((await fromRows(db, [row]))[0] ?? null) : null;
}

/** Unresolved incidents of an organization, and how many of them are critical. */
export async function countActiveIncidents(
  db: Db,
  organizationId: number,
): Promise<{ active: number; critical: number }> {
  const row = await filtered(db, { organizationId })
    .select((select) => [
      select.fn.countAll<number>().as("active"),
      select.fn
        .sum<number | null>(sql`case when incidents.severity = 'critical' then 1 else 0 end`)
        .as("critical"),
    ])
    .where("resolved_at", "is", null)
    .executeTakeFirstOrThrow();
  return { active: Number(row.active), critical: Number(row.critical ?? 0) };
}

function filtered(db: Db, { organizationId, status, severity }: IncidentFilter) {
  let query = db.selectFrom("incidents").where("incidents.organization_id", "=", organizationId);
  if (status) query = query.where("incidents.status", "=", status);
  if (severity) query = query.where("incidents.severity", "=", severity);
  return query;
}

const shown = (db: Db, filter: IncidentFilter) =>
  filtered(db, filter)
    .leftJoin("monitors", "monitors.id", "incidents.monitor_id")
    .selectAll("incidents")
    .select("monitors.uuid as monitor_uuid");

type Row = Awaited<ReturnType<ReturnType<typeof shown>["execute"]>>[number];

async function fromRows(db: Db, rows: readonly Row[]): Promise<Incident[]> {
  const services = await readAffectedServices(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => fromRow(row, services.get(row.id) ?? []));
}

function fromRow(row: Row, affectedServices: AffectedService[]): Incident {
  return {
    id: row.id,
    uuid: row.uuid,
    organizationId: row.organization_id,
    monitorId: row.monitor_id,
    monitorUuid: row.monitor_uuid,
    title: row.title,
    description: row.description,
    fact: parseFact(row.fact),
    status: row.status,
    severity: row.severity,
    impact: row.impact,
    affectedServices,
    startedAt: row.started_at,
    detectedAt: row.detected_at,
    resolvedAt: row.resolved_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
