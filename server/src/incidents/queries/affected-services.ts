import { type RawBuilder, type SqlBool, sql } from "kysely";
import { lastCheckDetails } from "../../monitors/queries/listed-monitors.ts";
import { foldForSearch } from "../../monitors/queries/monitors.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, idIn, positionIn } from "../../platform/database/sql.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import type { Cause, OfflineTimes } from "../group-rules.ts";

/** An outage by its monitor and its start, milliseconds. */
export type OutageKey = { monitorId: number; startedAt: number };

export const outageKey = ({ monitorId, startedAt }: OutageKey): string => `${monitorId} ${startedAt}`;

/** Something that an incident affects, under the name that it had at the time. */
export interface AffectedService {
  /** Null where only the name is known. It may be a monitor that is gone. */
  monitorId: number | null;
  name: string;
  /** Of the monitor's outage, where that is why; milliseconds. */
  outageStartedAt?: number | null;
  outageEndedAt?: number | null;
  /** What the outage may come from. */
  causes?: readonly Cause[] | null;
  /** Whether it joined an outage of which notifications had been sent already. */
  joined?: boolean;
}

/** The same as it is read: with what there still is of the monitor. */
export interface ShownService extends Required<Omit<AffectedService, "causes">> {
  id: number;
  /** Whether it came with an incident that a person merged into this one. */
  merged: boolean;
  /** Whether it was acknowledged, with all of the incident that it was in. */
  acknowledged: boolean;
  /** Null: it is gone. */
  monitorUuid: string | null;
  monitorKind: MonitorKind | null;
  /** Whether it goes down and comes back again and again. */
  flapping: boolean;
  /** Of a device that reports, and is not healthy: why; null: of any other. */
  healthReason: MessageDescriptor | null;
  /** When it was offline in its outage, where that is of a device whose health was critical. */
  offline: OfflineTimes;
  /** Until when the maintenance window lasts that it is in now, milliseconds; null: it is in none. */
  maintenanceUntil: number | null;
}

/** Says what each of these incidents affects. */
export async function insertAffectedServices(
  trx: Db,
  incidents: readonly { id: number; organizationId: number; affectedServices: readonly AffectedService[] }[],
): Promise<void> {
  await insertMany(
    trx,
    "affected_services",
    incidents.flatMap(({ id, organizationId, affectedServices }) =>
      affectedServices.map(({ monitorId, name, outageStartedAt = null, outageEndedAt = null, ...own }) => ({
        organization_id: organizationId,
        incident_id: id,
        monitor_id: monitorId,
        name,
        search_text: foldForSearch(name),
        outage_started_at: outageStartedAt,
        outage_ended_at: outageEndedAt,
        offline: null,
        causes: own.causes ? JSON.stringify(own.causes) : null,
        joined: own.joined ? 1 : 0,
      })),
    ),
  );
}

/** What these incidents affect, by the incident's id and in the order in which it was said. */
export async function readAffectedServices(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, ShownService[]>> {
  const rows = await db
    .selectFrom("affected_services")
    .leftJoin("monitors", (join) =>
      join
        .onRef("monitors.id", "=", "affected_services.monitor_id")
        .onRef("monitors.organization_id", "=", "affected_services.organization_id")
        .on("monitors.deleted_at", "is", null),
    )
    .leftJoin("monitor_states", "monitor_states.monitor_id", "monitors.id")
    .select([
      "affected_services.id",
      "incident_id as incidentId",
      "affected_services.monitor_id as monitorId",
      "affected_services.name",
      "outage_started_at as outageStartedAt",
      "outage_ended_at as outageEndedAt",
      "affected_services.offline",
      "joined",
      "merged",
      "acknowledged",
      "monitors.uuid as monitorUuid",
      "monitors.kind as monitorKind",
      "monitor_states.maintenance_until as maintenanceUntil",
      "monitor_states.flapping",
      sql<string | null>`case when monitors.kind = 'device' and monitor_states.status = 'degraded'
        then monitor_states.last_result end`.as("healthResult"),
    ])
    .where(idIn("incident_id", incidentIds))
    .orderBy("incident_id")
    .orderBy("affected_services.id")
    .execute();
  const services = new Map<number, ShownService[]>(incidentIds.map((id) => [id, []]));
  for (const { incidentId, joined, merged, acknowledged, flapping, healthResult, ...row } of rows) {
    const offline = row.offline === null ? null : (JSON.parse(row.offline) as OfflineTimes);
    const service = { ...row, offline };
    const flags = { joined: joined === 1, merged: merged === 1, acknowledged: acknowledged === 1 };
    const healthReason = healthResult === null ? null : lastCheckDetails(healthResult).reason;
    services.get(incidentId)?.push({ ...service, ...flags, flapping: flapping === 1, healthReason });
  }
  return services;
}

/** Whether an incident of the organization affects something with that in its name. `part`: folded. */
export const affectsNamed = (db: Db, organizationId: number, part: string): RawBuilder<SqlBool> =>
  sql`incidents.id in (
    select named.incident_id from affected_services as named where named.organization_id = ${organizationId}
      and ${positionIn(db, sql.ref<string>("named.search_text"), part)} > 0)`;

/** Takes these off what incidents affect. */
export async function deleteAffectedServices(trx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom("affected_services").where(idIn("id", ids)).execute();
}

/** Gives these to another incident. `merged`: with all of the one that they were in. */
export async function moveAffectedServices(
  trx: Db,
  ids: readonly number[],
  { into, merged }: { into: number; merged: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("affected_services")
    .set({ incident_id: into, merged: merged ? 1 : 0 })
    .where(idIn("id", ids))
    .execute();
}

/** Marks these outages as acknowledged, by their rows' ids. */
export async function acknowledgeOutages(trx: Db, ids: readonly number[]): Promise<void> {
  await trx
    .updateTable("affected_services")
    .set({ acknowledged: 1 })
    .where(idIn("id", ids))
    .where("outage_started_at", "is not", null)
    .execute();
}

/** Nothing joins these outages any more; that of the leading monitor counts as the one that was notified. */
export async function stayApart(
  trx: Db,
  ids: readonly number[],
  { leadId }: { leadId: number | null },
): Promise<void> {
  if (ids.length === 0) return;
  const own = trx.updateTable("affected_services").where(idIn("id", ids));
  await own.set({ causes: null }).execute();
  await own.set({ joined: 0 }).where("monitor_id", "=", leadId).execute();
}

/** Gives outages to incidents of their own, which they lead; nothing joins them any more. */
export async function moveApart(trx: Db, moves: readonly { id: number; into: number }[]): Promise<void> {
  if (moves.length === 0) return;
  const incidents = JSON.stringify(Object.fromEntries(moves.map(({ id, into }) => [id, into])));
  await sql`update affected_services
    set incident_id = cast(cast(moves.value as text) as bigint), merged = 0, joined = 0, causes = null
    from json_each(${incidents}) as moves
    where affected_services.id = cast(moves.key as bigint)`.execute(trx);
}

/** Which of these monitors have had an outage in an incident. */
export async function listReturning(
  db: Db,
  incidentId: number,
  monitorIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom("affected_services")
    .select("monitor_id as monitorId")
    .where("incident_id", "=", incidentId)
    .where("outage_started_at", "is not", null)
    .where(idIn("monitor_id", monitorIds))
    .execute();
  return new Set(rows.flatMap(({ monitorId }) => monitorId ?? []));
}

/** An outage, by its row, and its monitor. */
interface Lead {
  outageId: number;
  monitorId: number;
}

/** Of these incidents the open outage that joined first, by the incident's id. */
export async function readFirstJoined(trx: Db, incidentIds: readonly number[]): Promise<Map<number, Lead>> {
  const rows = await trx
    .selectFrom("affected_services")
    .select(["id as outageId", "incident_id as incidentId", "monitor_id as monitorId"])
    .where(idIn("incident_id", incidentIds))
    .where("joined", "=", 1)
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .orderBy("id", "desc")
    .execute();
  return new Map(
    rows.flatMap(({ incidentId, outageId, monitorId }) =>
      monitorId === null ? [] : [[incidentId, { outageId, monitorId }] as const],
    ),
  );
}

/** This outage leads the incident: it counts as the one that was notified. */
export async function lead(trx: Db, incidentId: number, { outageId, monitorId }: Lead): Promise<void> {
  await trx.updateTable("affected_services").set({ joined: 0 }).where("id", "=", outageId).execute();
  await trx.updateTable("incidents").set({ monitor_id: monitorId }).where("id", "=", incidentId).execute();
}

/** The outage of that monitor, which has joined, leads the incident in place of the one before: threads and words go on with it. */
export async function leadInstead(
  trx: Db,
  incidentId: number,
  { leadId, before }: { leadId: number; before: number },
): Promise<void> {
  const of = (monitorId: number, joined: 0 | 1) =>
    trx
      .updateTable("affected_services")
      .set({ joined })
      .where("incident_id", "=", incidentId)
      .where("monitor_id", "=", monitorId)
      .where("outage_started_at", "is not", null)
      .execute();
  await of(before, 1);
  await of(leadId, 0);
  await trx.updateTable("incidents").set({ monitor_id: leadId }).where("id", "=", incidentId).execute();
}

/** Ends outages, each at its own time (milliseconds), in one statement. */
export async function endOutages(
  trx: Db,
  ended: readonly { affectedId: number; at: number }[],
): Promise<void> {
  if (ended.length === 0) return;
  const times = JSON.stringify(Object.fromEntries(ended.map(({ affectedId, at }) => [affectedId, at])));
  await sql`update affected_services
    set outage_ended_at = cast(cast(times.value as text) as bigint)
    from json_each(${times}) as times
    where affected_services.id = cast(times.key as bigint)`.execute(trx);
}

/** The incidents of these outages, by their keys (outageKey). Of one that was in several, the newest. */
export async function listOutageIncidents(
  db: Db,
  outages: readonly OutageKey[],
): Promise<Map<string, number>> {
  const ids = outages.map(({ monitorId }) => monitorId);
  const times = outages.map(({ startedAt }) => startedAt);
  const rows = await db
    .selectFrom("affected_services")
    .select(["monitor_id as monitorId", "outage_started_at as startedAt", "incident_id as incidentId"])
    .where(among(db, "monitor_id", ids))
    .where("outage_started_at", ">=", Math.min(...times))
    .where("outage_started_at", "<=", Math.max(...times))
    .$narrowType<{ monitorId: number; startedAt: number }>()
    .orderBy("incident_id")
    .execute();
  return new Map(rows.map((row) => [outageKey(row), row.incidentId]));
}
