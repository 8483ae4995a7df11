import type { Updateable } from "kysely";
import { factJson } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn, lockRows } from "../dialect.ts";
import type { IncidentTable } from "../schema/incidents.ts";
import type { AffectedService } from "./affected-services.ts";
import { incidentSearchText } from "./incident-search-text.ts";
import type { Incident } from "./incidents.ts";
import type { Ref } from "./ref.ts";

export interface NewIncident
  extends Pick<
    Incident,
    | "uuid"
    | "organizationId"
    | "monitorId"
    | "automatic"
    | "title"
    | "titleFact"
    | "description"
    | "fact"
    | "status"
    | "severity"
    | "impact"
    | "startedAt"
    | "detectedAt"
    | "resolvedAt"
  > {
  affectedServices: AffectedService[];
}

/** Opens incidents; what they affect is said apart (affected-services.ts). Returns their numbers by uuid. */
export async function insertIncidents(
  trx: Db,
  incidents: readonly NewIncident[],
  now: number,
): Promise<Map<string, number>> {
  await insertMany(
    trx,
    "incidents",
    incidents.map((each) => ({
      uuid: each.uuid,
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      automatic: each.automatic ? 1 : 0,
      title: each.title,
      title_fact: factJson(each.titleFact),
      description: each.description,
      fact: factJson(each.fact),
      search_text: incidentSearchText(each),
      status: each.status,
      severity: each.severity,
      impact: each.impact,
      started_at: each.startedAt,
      detected_at: each.detectedAt,
      resolved_at: each.resolvedAt,
      created_at: now,
      updated_at: now,
    })),
  );
  const uuids = incidents.map(({ uuid }) => uuid);
  const rows = await trx.selectFrom("incidents").select(["id", "uuid"]).where(idIn("uuid", uuids)).execute();
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

/** What people change of an incident. */
export type IncidentChange = Partial<
  Pick<
    Incident,
    | "title"
    | "titleFact"
    | "description"
    | "fact"
    | "status"
    | "severity"
    | "impact"
    | "startedAt"
    | "resolvedAt"
    | "acknowledgedAt"
    | "acknowledgedById"
    | "acknowledgedVia"
    | "assigneeId"
    | "mergedIntoId"
    | "groupedBy"
    | "monitorId"
  >
>;

/** Changes what is given, of each of these alike. */
export async function updateIncidents(
  trx: Db,
  ids: readonly number[],
  change: IncidentChange,
  now: number,
): Promise<void> {
  const { title, titleFact, fact } = change;
  const set: Updateable<IncidentTable> = {
    title,
    title_fact: titleFact === undefined ? undefined : factJson(titleFact),
    search_text:
      title === undefined ? undefined : incidentSearchText({ title, titleFact: titleFact ?? null }),
    description: change.description,
    fact: fact === undefined ? undefined : factJson(fact),
    status: change.status,
    severity: change.severity,
    impact: change.impact,
    started_at: change.startedAt,
    resolved_at: change.resolvedAt,
    acknowledged_at: change.acknowledgedAt,
    acknowledged_by: change.acknowledgedById,
    acknowledged_via: change.acknowledgedVia,
    assignee_id: change.assigneeId,
    merged_into: change.mergedIntoId,
    grouped_by:
      change.groupedBy === undefined ? undefined : change.groupedBy && JSON.stringify(change.groupedBy),
    monitor_id: change.monitorId,
    updated_at: now,
  };
  await trx.updateTable("incidents").set(set).where(idIn("id", ids)).execute();
}

/** The same of one. */
export const updateIncident = (trx: Db, id: number, change: IncidentChange, now: number): Promise<void> =>
  updateIncidents(trx, [id], change, now);

/** Locks those of the organization's incidents that are meant; their ids, in the one order of locks. */
export async function lockIncidentsMeant(
  trx: Db,
  organizationId: number,
  refs: readonly Ref[],
): Promise<number[]> {
  const ids = refs.flatMap((ref) => ("id" in ref ? ref.id : []));
  const uuids = refs.flatMap((ref) => ("uuid" in ref ? ref.uuid : []));
  const byUuid = await trx.selectFrom("incidents").select("id").where(idIn("uuid", uuids)).execute();
  const query = trx
    .selectFrom("incidents")
    .select("id")
    .where(idIn("id", [...ids, ...byUuid.map(({ id }) => id)]))
    .where("organization_id", "=", organizationId)
    .orderBy("id");
  return (await lockRows(trx, query).execute()).map(({ id }) => id);
}

/** Locks several, in the one order of locks. */
export async function lockIncidents(trx: Db, ids: readonly number[]): Promise<void> {
  const query = trx.selectFrom("incidents").select("id").where(idIn("id", ids)).orderBy("id");
  await lockRows(trx, query).execute();
}

/** Removes an incident with all that belongs to it; what people were told of it stays. */
export async function deleteIncident(
  trx: Db,
  { id, organizationId }: Pick<Incident, "id" | "organizationId">,
): Promise<void> {
  const ofOrganization = ["organization_id", "=", organizationId] as const;
  await trx
    .updateTable("notifications")
    .set({ incident_id: null })
    .where(...ofOrganization)
    .where("incident_id", "=", id)
    .execute();
  await trx
    .updateTable("incidents")
    .set({ merged_into: null })
    .where(...ofOrganization)
    .where("merged_into", "=", id)
    .execute();
  await trx.deleteFrom("incidents").where("id", "=", id).execute();
}

/** Gives the log and the comments of an incident to another. */
export async function moveIncidentLog(trx: Db, from: number, to: number): Promise<void> {
  for (const table of ["incident_updates", "incident_comments"] as const) {
    await trx.updateTable(table).set({ incident_id: to }).where("incident_id", "=", from).execute();
  }
}

/** The Markdown of an incident's postmortem; null without one. */
export async function readPostmortem(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom("incidents").select("postmortem").where("id", "=", id).executeTakeFirst();
  return row?.postmortem ?? null;
}

export async function writePostmortem(
  trx: Db,
  id: number,
  postmortem: string | null,
  now: number,
): Promise<void> {
  await trx.updateTable("incidents").set({ postmortem, updated_at: now }).where("id", "=", id).execute();
}
