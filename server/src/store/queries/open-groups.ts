import { sql } from "kysely";
import type { Cause, Group } from "../../incident/group-rules.ts";
import type { Severity } from "../../incident/states.ts";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { idIn, isPostgres } from "../dialect.ts";

/** An incident of an outage that others may join. */
export interface OpenGroup extends Group {
  id: number;
  uuid: string;
  organizationId: number;
  title: string;
  /** What its title says, and its description; null: a person wrote that. */
  titleFact: Fact | null;
  fact: Fact | null;
  status: string;
  severity: Severity;
  /** When the incident began, which people may have changed; milliseconds. */
  begunAt: number;
  /** The monitor that speaks for it, and its name when it began to. */
  monitorId: number;
  name: string;
}

/** First half of the lock's number: what of an organization it is for. */
const GROUPING = 36;

/**
 * Outages of an organization open incidents one transaction after the other, or two would each open one of their own.
 * Comes after the states and before the first incident.
 */
export async function lockGrouping(trx: Db, organizationIds: Iterable<number>): Promise<void> {
  if (!isPostgres(trx)) return;
  for (const id of [...new Set(organizationIds)].sort((a, b) => a - b)) {
    await sql`select pg_advisory_xact_lock(${sql.lit(GROUPING)}, ${id})`.execute(trx);
  }
}

/** The incidents of outages that go on, were opened by one that began since then (milliseconds), and may be about more than one monitor. */
export async function listOpenGroups(
  db: Db,
  { organizationIds, since }: { organizationIds: readonly number[]; since: number },
): Promise<OpenGroup[]> {
  const rows = await db
    .selectFrom("incidents")
    .innerJoin("affected_services as lead", (join) =>
      join
        .onRef("lead.incident_id", "=", "incidents.id")
        .onRef("lead.monitor_id", "=", "incidents.monitor_id")
        .on("lead.joined", "=", 0),
    )
    .select([
      "incidents.id",
      "incidents.uuid",
      "incidents.organization_id as organizationId",
      "incidents.title",
      "incidents.title_fact as titleFact",
      "incidents.fact",
      "incidents.status",
      "incidents.severity",
      "incidents.started_at as begunAt",
      "lead.monitor_id as monitorId",
      "lead.name",
      "lead.causes",
      "lead.outage_started_at as startedAt",
      "incidents.grouped_by as groupedBy",
      "incidents.acknowledged_at as acknowledgedAt",
    ])
    .where(idIn("incidents.organization_id", organizationIds))
    .where("incidents.automatic", "=", 1)
    .where("incidents.resolved_at", "is", null)
    // A member may have begun before the outage that opened it.
    .where("lead.outage_started_at", ">=", since)
    .where("lead.causes", "is not", null)
    .orderBy("incidents.id")
    .execute();
  const down = await readDownIds(db, rows);
  return rows.map(({ titleFact, fact, causes, groupedBy, monitorId, startedAt, acknowledgedAt, ...row }) => ({
    ...row,
    ...{ titleFact: parseFact(titleFact), fact: parseFact(fact) },
    monitorId: monitorId ?? 0,
    startedAt: startedAt ?? 0,
    causes: JSON.parse(causes ?? "[]") as Cause[],
    downIds: down.get(row.id) ?? [],
    isAcknowledged: acknowledgedAt !== null,
    by: groupedBy === null ? null : (JSON.parse(groupedBy) as Cause),
  }));
}

/** The monitors that are down in these incidents, by the incident. */
async function readDownIds(db: Db, incidents: readonly { id: number }[]): Promise<Map<number, number[]>> {
  const ids = incidents.map(({ id }) => id);
  const rows = await db
    .selectFrom("affected_services")
    .select(["incident_id as incidentId", "monitor_id as monitorId"])
    .where(idIn("incident_id", ids))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .execute();
  const down = new Map<number, number[]>();
  for (const { incidentId, monitorId } of rows)
    if (monitorId !== null) down.set(incidentId, [...(down.get(incidentId) ?? []), monitorId]);
  return down;
}

/** What these monitors check, and when each was made (milliseconds). */
export async function readTargets(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { type: string; target: string; createdAt: number }>> {
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "type", "target", "created_at as createdAt"])
    .where(idIn("id", ids))
    .execute();
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}
