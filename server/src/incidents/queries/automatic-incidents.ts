import { sql } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, lockRows } from "../../platform/database/sql.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Impact, Severity } from "../../platform/monitor-defaults.ts";
import type { Cause, Group, OfflineTimes } from "../group-rules.ts";
import { parsedMessages } from "../live-incident.ts";
import { idOfMerged } from "./incident-changes.ts";

/** An open outage of a monitor, in the incident that has it. Milliseconds. */
export interface OpenOutage {
  /** Its row among what incidents affect. */
  affectedId: number;
  monitorId: number;
  /** Whether it joined the incident of another. */
  joined: boolean;
  /** The monitor whose outage opened the incident. */
  leadId: number | null;
  /** As it was called then. */
  leadName: string | null;
  outageStartedAt: number;
  /** Of a device whose health was critical: when it was offline besides; the last may go on. Null: it was not. */
  offline: OfflineTimes;
  id: number;
  uuid: string;
  organizationId: number;
  automatic: boolean;
  title: string;
  titleMessage: MessageDescriptor | null;
  descriptionMessage: MessageDescriptor | null;
  status: string;
  severity: Severity;
  impact: Impact;
  /** What the outages in it have in common. */
  groupedBy: Cause | null;
  startedAt: number;
  resolvedAt: number | null;
}

/**
 * The open outages of these monitors, one each at most, with their incidents locked in the order of their ids. While it
 * waits for one, that one may be merged into another: then it looks again. The caller has locked the monitors' states.
 */
export async function lockOpenOutages(trx: Db, monitorIds: readonly number[]): Promise<OpenOutage[]> {
  for (const locked = new Set<number>(); ; ) {
    const outages = await findOpenOutages(trx, monitorIds);
    const more = outages.map(({ id }) => id).filter((id) => !locked.has(id));
    if (more.length === 0) return outages;
    await lockRows(
      trx,
      trx.selectFrom("incidents").select("id").where(idIn("id", more)).orderBy("id"),
    ).execute();
    for (const id of more) locked.add(id);
  }
}

async function findOpenOutages(db: Db, monitorIds: readonly number[]): Promise<OpenOutage[]> {
  const rows = await db
    .selectFrom("affected_services")
    .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
    .select([
      "affected_services.id as affectedId",
      "affected_services.monitor_id as monitorId",
      "affected_services.outage_started_at as outageStartedAt",
      "affected_services.joined",
      "affected_services.offline",
      "incidents.monitor_id as leadId",
      sql<string | null>`(
        select min(lead.name) from affected_services as lead
        where lead.incident_id = incidents.id and lead.monitor_id = incidents.monitor_id)`.as("leadName"),
      "incidents.id",
      "incidents.uuid",
      "incidents.organization_id as organizationId",
      "incidents.automatic",
      "incidents.title",
      "incidents.title_message as titleMessage",
      "incidents.description_message as descriptionMessage",
      "incidents.status",
      "incidents.severity",
      "incidents.impact",
      "incidents.grouped_by as groupedBy",
      "incidents.started_at as startedAt",
      "incidents.resolved_at as resolvedAt",
    ])
    .where(idIn("affected_services.monitor_id", monitorIds))
    .where("affected_services.outage_started_at", "is not", null)
    .where("affected_services.outage_ended_at", "is", null)
    .orderBy("affected_services.id")
    .execute();
  return rows.map(({ groupedBy, automatic, joined, monitorId, outageStartedAt, offline, ...row }) => ({
    ...row,
    offline: offline === null ? null : (JSON.parse(offline) as OfflineTimes),
    joined: joined === 1,
    monitorId: monitorId ?? 0,
    outageStartedAt: outageStartedAt ?? 0,
    automatic: automatic === 1,
    ...parsedMessages(row),
    groupedBy: groupedBy === null ? null : (JSON.parse(groupedBy) as Cause),
  }));
}

/** Notes when a device was offline in its outage. */
export async function setOfflineTimes(trx: Db, affectedId: number, times: OfflineTimes): Promise<void> {
  const offline = times === null || times.length === 0 ? null : JSON.stringify(times);
  await trx.updateTable("affected_services").set({ offline }).where("id", "=", affectedId).execute();
}

/**
 * How far the outages of these incidents are, by the incident's id: how many are open, when the last ended, how many
 * monitors joined, and how many have been down in it.
 */
export async function readOutageEnds(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, { open: number; lastEndedAt: number | null; joined: number; monitors: number }>> {
  const rows = await db
    .selectFrom("affected_services")
    .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
    .select((select) => [
      "incident_id as id",
      sql<number>`sum(case when outage_ended_at is null then 1 else 0 end)`.as("open"),
      select.fn.max("outage_ended_at").as("lastEndedAt"),
      // Who was down twice counts once, and the one that leads is not among the others.
      sql<number>`count(distinct case when joined = 1
        and affected_services.monitor_id <> coalesce(incidents.monitor_id, 0)
        then affected_services.monitor_id end)`.as("joined"),
      sql<number>`count(distinct affected_services.monitor_id)`.as("monitors"),
    ])
    .where(idIn("incident_id", incidentIds))
    .where("outage_started_at", "is not", null)
    .groupBy("incident_id")
    .execute();
  return new Map(
    rows.map(({ id, open, lastEndedAt, joined, monitors }) => [
      id,
      { open: Number(open), lastEndedAt, joined: Number(joined), monitors: Number(monitors) },
    ]),
  );
}

/** Resolves incidents, each at its own time, in one statement. */
export async function resolveIncidents(
  trx: Db,
  resolved: readonly { id: number; resolvedAt: number }[],
  now: number,
): Promise<void> {
  if (resolved.length === 0) return;
  const times = JSON.stringify(Object.fromEntries(resolved.map(({ id, resolvedAt }) => [id, resolvedAt])));
  await sql`update incidents
    set status = 'resolved', resolved_at = cast(cast(times.value as text) as bigint), updated_at = ${now}
    from json_each(${times}) as times
    where incidents.id = cast(times.key as bigint)`.execute(trx);
}

/** Clears the acknowledgement of those of these incidents in which nothing that is down was acknowledged. */
export async function forgetAcknowledgements(trx: Db, incidentIds: readonly number[]): Promise<void> {
  await trx
    .updateTable("incidents")
    .set({ acknowledged_at: null, acknowledged_by: null, acknowledged_via: null })
    .where(idIn("id", incidentIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("affected_services as known")
            .select("known.id")
            .whereRef("known.incident_id", "=", "incidents.id")
            .where("known.acknowledged", "=", 1)
            .where("known.outage_started_at", "is not", null)
            .where("known.outage_ended_at", "is", null),
        ),
      ),
    )
    .execute();
}

/** Dates the start of open outages of these monitors, and of their incidents, that is later than `limit` to `now`. */
export async function correctIncidentDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  const late = (await lockOpenOutages(trx, monitorIds)).filter(
    ({ outageStartedAt, startedAt }) => Math.max(outageStartedAt, startedAt) > limit,
  );
  await trx
    .updateTable("affected_services")
    .set({ outage_started_at: now })
    .where(
      idIn(
        "id",
        late.map(({ affectedId }) => affectedId),
      ),
    )
    .where("outage_started_at", ">", limit)
    .execute();
  await trx
    .updateTable("incidents")
    .set({ started_at: now, detected_at: now, updated_at: now })
    .where(
      idIn(
        "id",
        late.map(({ id }) => id),
      ),
    )
    .where("automatic", "=", 1)
    .where("resolved_at", "is", null)
    .where("started_at", ">", limit)
    .execute();
}

/** The state of an incident. Milliseconds. */
interface IncidentStateRow {
  /** Of the one that has its outages. */
  id: number;
  severity: Severity;
  startedAt: number;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  /** The person, else the channel by whose link it was done. */
  acknowledgedBy: string | null;
  /** Outages in it that go on and were not acknowledged: all, or those that joined later. */
  unacknowledged: number;
}

/** The state of an incident, or what it was merged into; undefined: it was deleted. */
export const readIncidentState = async (db: Db, incidentId: number): Promise<IncidentStateRow | undefined> =>
  db
    .selectFrom("incidents as about")
    .innerJoin("incidents as shared", (join) => join.on("shared.id", "=", idOfMerged))
    .leftJoin("users", "users.id", "shared.acknowledged_by")
    .where("about.id", "=", incidentId)
    .select([
      "shared.id",
      "shared.severity",
      "shared.started_at as startedAt",
      "shared.resolved_at as resolvedAt",
      "shared.acknowledged_at as acknowledgedAt",
    ])
    .select(sql<string | null>`coalesce(users.name, shared.acknowledged_via)`.as("acknowledgedBy"))
    .select(
      sql<number>`(select count(*) from affected_services as own where own.incident_id = shared.id
        and own.outage_started_at is not null and own.outage_ended_at is null and own.acknowledged = 0)`.as(
        "unacknowledged",
      ),
    )
    .executeTakeFirst();

/** An incident of an outage that others may join. */
export interface OpenGroup extends Group {
  id: number;
  uuid: string;
  organizationId: number;
  title: string;
  /** What its title says, and its description; null: a person wrote that. */
  titleMessage: MessageDescriptor | null;
  descriptionMessage: MessageDescriptor | null;
  status: string;
  severity: Severity;
  /** When the incident began, which people may have changed; milliseconds. */
  begunAt: number;
  /** The monitor that speaks for it, and its name when it began to. */
  monitorId: number;
  name: string;
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
      "incidents.title_message as titleMessage",
      "incidents.description_message as descriptionMessage",
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
  return rows.map(({ causes, groupedBy, monitorId, startedAt, acknowledgedAt, ...row }) => ({
    ...row,
    ...parsedMessages(row),
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
