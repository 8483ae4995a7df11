import { type SqlBool, sql } from "kysely";
import type { Cause } from "../../incident/group-rules.ts";
import type { Impact, Severity } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { idIn, lockRows, positionIn } from "../dialect.ts";
import { affectsNamed, readAffectedServices, type ShownService } from "./affected-services.ts";
import { foldForSearch } from "./monitors.ts";
import { isRef, type Ref } from "./ref.ts";

/** Times in milliseconds. */
export interface Incident {
  id: number;
  uuid: string;
  organizationId: number;
  /** The monitor whose outage opened it; null: opened by a person. */
  monitorId: number | null;
  monitorUuid: string | null;
  /** Opened by an outage, and resolved with the last one that it has. */
  automatic: boolean;
  title: string;
  description: string;
  /** What title and description say, where the service itself wrote them. */
  fact: Fact | null;
  status: string;
  severity: Severity;
  impact: Impact;
  affectedServices: ShownService[];
  startedAt: number;
  detectedAt: number;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  acknowledgedById: number | null;
  acknowledgedByName: string | null;
  /** The channel by whose link it was acknowledged, where that is all that is known of who did. */
  acknowledgedVia: string | null;
  assigneeId: number | null;
  assigneeName: string | null;
  mergedIntoId: number | null;
  hasPostmortem: boolean;
  /** What its members have in common; null: nothing brought them together. */
  groupedBy: Cause | null;
  createdAt: number;
  updatedAt: number;
}

/** Later than any time that is stored. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

export interface IncidentFilter {
  organizationId: number;
  status?: string | undefined;
  severity?: Severity | undefined;
  /** Whether it goes on. */
  active?: boolean | undefined;
  /** A domain or service that it affects. */
  monitor?: Ref | undefined;
  /** Part of the title, or of the name of something that it affects, in any case. */
  search?: string | undefined;
  /** Went on at some time from here on, and before `to`; milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
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

/** Those of an organization's incidents, by id. */
export async function readIncidents(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<Incident[]> {
  const rows = await shown(db, { organizationId })
    .where(idIn("incidents.id", ids))
    .orderBy("incidents.id")
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

/** One incident; null when it is unknown or another organization's. `lock`: for changing it. */
export async function findIncident(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false } = {},
): Promise<Incident | null> {
  if (lock) {
    const own = db.selectFrom("incidents").select("id").where("organization_id", "=", organizationId);
    await lockRows(db, own.where(isRef("incidents", ref))).execute();
  }
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

function filtered(db: Db, filter: IncidentFilter) {
  const { organizationId, status, severity, active, monitor, search, from, to } = filter;
  let query = db.selectFrom("incidents").where("incidents.organization_id", "=", organizationId);
  if (status) query = query.where("incidents.status", "=", status);
  if (severity) query = query.where("incidents.severity", "=", severity);
  if (active !== undefined) query = query.where("incidents.resolved_at", active ? "is" : "is not", null);
  if (to !== undefined) query = query.where("incidents.started_at", "<", to);
  if (from !== undefined)
    query = query.where(sql<SqlBool>`coalesce(incidents.resolved_at, ${sql.lit(ENDLESS)}) >= ${from}`);
  if (search) {
    const text = sql.ref<string>("incidents.search_text");
    const part = foldForSearch(search);
    query = query.where(
      sql<SqlBool>`(${positionIn(db, text, part)} > 0 or ${affectsNamed(db, organizationId, part)})`,
    );
  }
  if (monitor) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("affected_services")
          .innerJoin("monitors", "monitors.id", "affected_services.monitor_id")
          .select("affected_services.id")
          .whereRef("affected_services.incident_id", "=", "incidents.id")
          .where("monitors.organization_id", "=", organizationId)
          .where(isRef("monitors", monitor)),
      ),
    );
  }
  return query;
}

const shown = (db: Db, filter: IncidentFilter) =>
  filtered(db, filter)
    .leftJoin("monitors", "monitors.id", "incidents.monitor_id")
    .leftJoin("users as acknowledger", "acknowledger.id", "incidents.acknowledged_by")
    .leftJoin("users as assignee", "assignee.id", "incidents.assignee_id")
    .select([
      "incidents.id",
      "incidents.uuid",
      "incidents.organization_id as organizationId",
      "incidents.monitor_id as monitorId",
      "monitors.uuid as monitorUuid",
      "incidents.automatic",
      "incidents.title",
      "incidents.description",
      "incidents.fact",
      "incidents.status",
      "incidents.severity",
      "incidents.impact",
      "incidents.started_at as startedAt",
      "incidents.detected_at as detectedAt",
      "incidents.resolved_at as resolvedAt",
      "incidents.acknowledged_at as acknowledgedAt",
      "incidents.acknowledged_by as acknowledgedById",
      "incidents.acknowledged_via as acknowledgedVia",
      "incidents.assignee_id as assigneeId",
      "assignee.name as assigneeName",
      "incidents.merged_into as mergedIntoId",
      "incidents.grouped_by as groupedBy",
      "incidents.created_at as createdAt",
      "incidents.updated_at as updatedAt",
    ])
    .select(
      sql<string | null>`coalesce(acknowledger.name, incidents.acknowledged_via)`.as("acknowledgedByName"),
    )
    .select(sql<number>`case when incidents.postmortem is null then 0 else 1 end`.as("hasPostmortem"));

type Row = Awaited<ReturnType<ReturnType<typeof shown>["execute"]>>[number];

async function fromRows(db: Db, rows: readonly Row[]): Promise<Incident[]> {
  const services = await readAffectedServices(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ fact, automatic, hasPostmortem, groupedBy, ...row }) => ({
    ...row,
    groupedBy: groupedBy === null ? null : (JSON.parse(groupedBy) as Cause),
    fact: parseFact(fact),
    automatic: automatic === 1,
    hasPostmortem: hasPostmortem === 1,
    affectedServices: services.get(row.id) ?? [],
  }));
}
