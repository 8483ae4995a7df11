import { type RawBuilder, type SqlBool, sql } from "kysely";
import { suspectOf } from "../../integrations/deployments/rules.ts";
import { type Deployment, listSuspects } from "../../integrations/queries/deployments.ts";
import { foldForSearch } from "../../monitors/queries/monitors.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, lockRows, positionIn, type Ref } from "../../platform/database/sql.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import {
  type Impact,
  INCIDENT_STATUSES,
  type IncidentSort,
  SEVERITIES,
  type Severity,
} from "../../platform/monitor-defaults.ts";
import type { Cause } from "../group-rules.ts";
import { messageOf, parsedMessages } from "../live-incident.ts";
import { affectsNamed, readAffectedServices, type ShownService } from "./affected-services.ts";
import { readOutageReasons } from "./evidence.ts";

/** Times in milliseconds. */
export interface Incident {
  id: number;
  uuid: string;
  organizationId: number;
  /** The monitor that speaks for it; null: none has been down in it. */
  monitorId: number | null;
  monitorUuid: string | null;
  /** Opened by an outage, and resolved with the last one that it has. */
  automatic: boolean;
  title: string;
  /** What the title said when it began, where the service itself wrote it. */
  titleMessage: MessageDescriptor | null;
  description: string;
  /** The same of the description. */
  descriptionMessage: MessageDescriptor | null;
  /** Why the monitor that leads it was found to be down; null where that is unknown, or a person opened it. */
  reason: MessageDescriptor | null;
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
  /** The deployment that it names: it started soon after that. Null: none. */
  deployment: Deployment | null;
  createdAt: number;
  updatedAt: number;
}

/** Where a page begins and how long it is. */
interface Page {
  limit: number;
  offset: number;
  order?: readonly RawBuilder<unknown>[] | undefined;
}

/** The incidents that fit: newest first, or in the order of these terms. */
export async function listIncidents(
  db: Db,
  filter: IncidentFilter,
  { limit, offset, order = [sql`incidents.id desc`] }: Page,
): Promise<Incident[]> {
  // Only the numbers are sorted: whole rows of all of them would be carried along for a page.
  const page = filteredIncidents(db, filter)
    .select("incidents.id")
    .orderBy(sql.join(order))
    .limit(limit)
    .offset(offset);
  const ids = (await page.execute()).map(({ id }) => id);
  const found = new Map(
    (await readIncidents(db, filter.organizationId, ids)).map((one) => [one.id, one] as const),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
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
  const { count } = await filteredIncidents(db, filter)
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
  const row = await filteredIncidents(db, { organizationId })
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

const shown = (db: Db, filter: IncidentFilter) =>
  filteredIncidents(db, filter)
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
      "incidents.title_message as titleMessage",
      "incidents.description",
      "incidents.description_message as descriptionMessage",
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
  const suspects = await listSuspects(
    db,
    rows.map(({ id }) => id),
  );
  const incidents = rows.map(({ automatic, hasPostmortem, groupedBy, ...row }) => ({
    ...row,
    groupedBy: groupedBy === null ? null : (JSON.parse(groupedBy) as Cause),
    ...parsedMessages(row),
    automatic: automatic === 1,
    hasPostmortem: hasPostmortem === 1,
    affectedServices: services.get(row.id) ?? [],
    deployment: suspectOf(suspects.get(row.id) ?? [], row.startedAt),
  }));
  const unexplained = incidents.filter((one) => one.automatic && !isOfOne(one));
  const reasons = await readOutageReasons(
    db,
    unexplained.map(({ id }) => id),
  );
  // The text about a single outage has it.
  return incidents.map((one) => ({
    ...one,
    reason: reasons.get(one.id) ?? (isOfOne(one) ? (one.descriptionMessage?.because ?? null) : null),
  }));
}

const isOfOne = ({ descriptionMessage }: Pick<Incident, "descriptionMessage">): boolean =>
  messageOf(descriptionMessage).isOfOne === true;

const RANKS: Record<"severity" | "status", RawBuilder<number>> = {
  severity: rankOf("severity", SEVERITIES.toReversed()),
  status: rankOf("status", INCIDENT_STATUSES),
};

/**
 * Terms of an ORDER BY over incidents: equals come newest first either way, so that pages never overlap. `now`: until
 * when those that go on have lasted; milliseconds.
 */
export function incidentOrderTerms(
  { by, descending }: { by: IncidentSort; descending: boolean },
  now: number,
): RawBuilder<unknown>[] {
  const value = {
    startedAt: sql`incidents.started_at`,
    duration: sql`coalesce(incidents.resolved_at, cast(${now} as bigint)) - incidents.started_at`,
    createdAt: sql`incidents.id`,
    ...RANKS,
  }[by];
  return [descending ? sql`${value} desc` : sql`${value} asc`, sql`incidents.id desc`];
}

/** The most severe first, of those the longest until `now` (milliseconds), and of those the newest. */
export const mostSevereFirst = (now: number): RawBuilder<unknown>[] => [
  sql`${RANKS.severity} asc`,
  ...incidentOrderTerms({ by: "duration", descending: true }, now),
];

/** The place of a column's value in this list. */
function rankOf(column: string, values: readonly string[]): RawBuilder<number> {
  const places = values.map((value, at) => sql`when ${sql.lit(value)} then ${sql.lit(at)}`);
  return sql<number>`case ${sql.ref(`incidents.${column}`)} ${sql.join(places, sql` `)} end`;
}

/** Later than any time that is stored. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

export interface IncidentFilter {
  organizationId: number;
  status?: string | undefined;
  severity?: Severity | undefined;
  /** Whether it goes on. */
  active?: boolean | undefined;
  /** Whether it was acknowledged. */
  acknowledged?: boolean | undefined;
  /** What it affects, all of them. */
  monitors?: readonly Ref[];
  /** Part of the title, or of the name of something that it affects, in any case. */
  search?: string | undefined;
  /** Went on at some time from here on, and before `to`; milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The organization's incidents that fit. */
function filteredIncidents(db: Db, filter: IncidentFilter) {
  const { organizationId, status, severity, active, acknowledged, monitors = [], search, from, to } = filter;
  let query = db.selectFrom("incidents").where("incidents.organization_id", "=", organizationId);
  if (status) query = query.where("incidents.status", "=", status);
  if (severity) query = query.where("incidents.severity", "=", severity);
  if (active !== undefined) query = query.where("incidents.resolved_at", active ? "is" : "is not", null);
  if (acknowledged !== undefined) {
    const isAll = sql<SqlBool>`(incidents.acknowledged_at is not null and not exists (select 1 from affected_services as own
      where own.incident_id = incidents.id and own.outage_started_at is not null
        and own.outage_ended_at is null and own.acknowledged = 0))`;
    query = query.where(acknowledged ? isAll : sql<SqlBool>`not ${isAll}`);
  }
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
  for (const monitor of monitors) {
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
