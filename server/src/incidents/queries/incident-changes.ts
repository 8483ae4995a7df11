import { type RawBuilder, type SqlBool, sql, type Updateable } from "kysely";
import { insertNotedChanges } from "../../monitors/queries/monitor-changes.ts";
import { foldForSearch } from "../../monitors/queries/monitors.ts";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { IncidentTable } from "../../platform/database/tables/incidents.ts";
import { de } from "../../platform/i18n/de.ts";
import { en } from "../../platform/i18n/en.ts";
import { messageJson } from "../../platform/i18n/message.ts";
import { formatsOf, LANGUAGES, type Language, renderMessage } from "../../platform/i18n/render.ts";
import { zh } from "../../platform/i18n/zh.ts";
import { titleMessage } from "../title-rules.ts";
import type { AffectedService } from "./affected-services.ts";
import type { Incident } from "./incidents.ts";

export interface NewIncident
  extends Pick<
    Incident,
    | "uuid"
    | "organizationId"
    | "monitorId"
    | "automatic"
    | "title"
    | "titleMessage"
    | "description"
    | "descriptionMessage"
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
      title_message: messageJson(each.titleMessage),
      description: each.description,
      description_message: messageJson(each.descriptionMessage),
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
    | "titleMessage"
    | "description"
    | "descriptionMessage"
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
  const { title, titleMessage, descriptionMessage } = change;
  const set: Updateable<IncidentTable> = {
    title,
    title_message: titleMessage === undefined ? undefined : messageJson(titleMessage),
    search_text:
      title === undefined ? undefined : incidentSearchText({ title, titleMessage: titleMessage ?? null }),
    description: change.description,
    description_message: descriptionMessage === undefined ? undefined : messageJson(descriptionMessage),
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

/** Removes an incident with all that belongs to it; its notifications stay. */
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

/**
 * The id of what has all of an incident now, which the statement calls `about`: of itself, or of the last in the line of those that
 * were merged one into the other; null: that was deleted.
 */
export const idOfMerged = sql<number | null>`case when about.merged_into is null then about.id else (
  with recursive line (id, merged_into) as (
    select next.id, next.merged_into from incidents as next where next.id = about.merged_into
    union select next.id, next.merged_into from incidents as next join line on next.id = line.merged_into)
  select line.id from line where line.merged_into is null) end`;

/** That the number in `column` is an incident's, or that of one which was merged into it. */
export const isAboutMerged = (column: RawBuilder<unknown>, incidentId: number): RawBuilder<SqlBool> =>
  sql`${column} in (
    with recursive merged (id) as (
      select cast(${incidentId} as bigint)
      union select incidents.id from incidents join merged on incidents.merged_into = merged.id)
    select id from merged)`;

/** These incidents, or those that they were merged into by now; ids, in order. */
export async function mergedOf(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("incidents as about")
    .select(idOfMerged.as("id"))
    .distinct()
    .where(idIn("about.id", ids))
    .execute();
  return rows.flatMap(({ id }) => (id === null ? [] : Number(id))).sort((a, b) => a - b);
}

const TEXTS: Readonly<Record<Language, Readonly<Partial<Record<string, string>>>>> = { en, de, zh };

/**
 * What an incident is found by: its title, and where Vedette wrote it, what its readers see of it in each language, while it
 * goes on and once it is over.
 */
function incidentSearchText({
  title,
  titleMessage: renderedTitle,
}: Pick<Incident, "title" | "titleMessage">): string {
  const shown = [false, true].flatMap((isOver) => {
    const said = titleMessage({ titleMessage: renderedTitle }, { isOver });
    return said ? LANGUAGES.map((one) => renderMessage(TEXTS[one], said, formatsOf(one, "UTC"))) : [];
  });
  return foldForSearch([...new Set([title, ...shown])].join("\n"));
}

/** Incidents that people changed: who acknowledged them, what belongs to them. */
export const noteIncidents = (
  trx: Db,
  incidents: readonly Pick<Incident, "organizationId" | "id">[],
  at: number,
): Promise<void> =>
  insertNotedChanges(
    trx,
    incidents.map(({ organizationId, id }) => ({ organizationId, incidentId: id, at })),
  );
