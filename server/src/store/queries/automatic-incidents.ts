import { sql } from "kysely";
import type { Severity } from "../../incident/states.ts";
import { type Fact, factJson, parseFact } from "../../texts/fact.ts";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import type { Incident } from "./incidents.ts";
import { foldForSearch } from "./monitors.ts";

export type NewIncident = Omit<Incident, "id" | "monitorUuid" | "resolvedAt" | "createdAt" | "updatedAt">;

/** Opens automatic incidents; what they affect is said apart (affected-services.ts). A monitor that has one open already keeps that one. */
export async function insertAutomaticIncidents(
  trx: Db,
  incidents: readonly NewIncident[],
  now: number,
): Promise<void> {
  await insertMany(
    trx,
    "incidents",
    incidents.map((each) => ({
      uuid: each.uuid,
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      automatic: 1,
      title: each.title,
      description: each.description,
      fact: factJson(each.fact),
      search_text: foldForSearch(each.title),
      status: each.status,
      severity: each.severity,
      impact: each.impact,
      started_at: each.startedAt,
      detected_at: each.detectedAt,
      resolved_at: null,
      created_at: now,
      updated_at: now,
    })),
    "nothing",
  );
}

export interface OpenIncident {
  id: number;
  uuid: string;
  organizationId: number;
  monitorId: number;
  title: string;
  fact: Fact | null;
  status: string;
  severity: Severity;
  startedAt: number;
}

/** The open automatic incidents of these monitors: one each at most. */
export async function findOpenAutomatic(db: Db, monitorIds: readonly number[]): Promise<OpenIncident[]> {
  const rows = await db
    .selectFrom("incidents")
    .select([
      "id",
      "uuid",
      "organization_id as organizationId",
      "monitor_id as monitorId",
      "title",
      "fact",
      "status",
      "severity",
      "started_at as startedAt",
    ])
    .where(idIn("monitor_id", monitorIds))
    .where("automatic", "=", 1)
    .where("resolved_at", "is", null)
    .execute();
  return rows.map((row) => ({ ...row, monitorId: row.monitorId ?? 0, fact: parseFact(row.fact) }));
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

/** Dates the start of open automatic incidents of these monitors that is later than `limit` to `now`. */
export async function correctIncidentDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("incidents")
    .set({ started_at: now, detected_at: now, updated_at: now })
    .where(idIn("monitor_id", monitorIds))
    .where("automatic", "=", 1)
    .where("resolved_at", "is", null)
    .where("started_at", ">", limit)
    .execute();
}
