import { sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import type { EvidenceMoment } from "../../platform/database/tables/incidents.ts";
import { type MessageDescriptor, parseMessage } from "../../platform/i18n/message.ts";

/** What was seen of a monitor at one moment of its outage. */
export interface NewEvidence {
  moment: EvidenceMoment;
  /** Code of the location it was seen from. */
  location: string;
  at: number;
  /** JSON. */
  content: string;
}

/** The open outages of these monitors: the rows that evidence belongs to. Milliseconds. */
export async function findOutages(
  db: Db,
  monitorIds: readonly number[],
): Promise<{ affectedId: number; organizationId: number; monitorId: number; startedAt: number }[]> {
  const rows = await db
    .selectFrom("affected_services")
    .select([
      "id as affectedId",
      "organization_id as organizationId",
      "monitor_id as monitorId",
      "outage_started_at as startedAt",
    ])
    .where(idIn("monitor_id", monitorIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .execute();
  return rows.map((row) => ({ ...row, monitorId: Number(row.monitorId), startedAt: Number(row.startedAt) }));
}

/** Keeps it; what is there of that moment already stays. */
export const insertEvidence = (
  db: Db,
  evidence: readonly (NewEvidence & { affectedId: number; organizationId: number })[],
): Promise<void> =>
  insertMany(
    db,
    "evidence",
    evidence.map(({ affectedId, organizationId, moment, location, at, content }) => ({
      ...{ organization_id: organizationId, affected_service_id: affectedId },
      ...{ moment, location, at, content },
    })),
    "nothing",
  );

/** Older outages that one call looks at: calling it for each outage leaves none. */
const OLDER_OUTAGES = 1_000;

/** Removes what was seen of a monitor's outages but for its newest ones. */
export async function forgetEvidence(db: Db, monitorId: number, newest: number): Promise<void> {
  const older = await db
    .selectFrom("affected_services")
    .select("id")
    .where("monitor_id", "=", monitorId)
    .where("outage_started_at", "is not", null)
    .orderBy("id", "desc")
    .limit(OLDER_OUTAGES)
    .offset(newest)
    .execute();
  if (older.length === 0) return;
  const ids = older.map(({ id }) => id);
  await db.deleteFrom("evidence").where(idIn("affected_service_id", ids)).execute();
}

/** The stored evidence of a monitor's failure. */
export const findEvidence = (
  db: Db,
  { monitorId, location, at }: { monitorId: number; location: string; at: number },
): Promise<{ id: number; content: string }[]> =>
  db
    .selectFrom("evidence")
    .innerJoin("affected_services", "affected_services.id", "evidence.affected_service_id")
    .select(["evidence.id", "evidence.content"])
    .where("affected_services.monitor_id", "=", monitorId)
    .where("evidence.location", "=", location)
    .where("evidence.at", "=", at)
    .execute();

/** Replaces what was stored. */
export const replaceEvidence = (db: Db, id: number, content: string): Promise<unknown> =>
  db.updateTable("evidence").set({ content }).where("id", "=", id).execute();

/** The evidence of these outages (ids of what an incident affects), in the order it was seen. */
export async function readEvidence(
  db: Db,
  organizationId: number,
  affectedIds: readonly number[],
): Promise<(NewEvidence & { affectedId: number })[]> {
  if (affectedIds.length === 0) return [];
  return db
    .selectFrom("evidence")
    .select(["affected_service_id as affectedId", "moment", "location", "at", "content"])
    .where("organization_id", "=", organizationId)
    .where(idIn("affected_service_id", affectedIds))
    .orderBy("at")
    .orderBy("id")
    .execute();
}

/** Which of these outages have any. */
export async function outagesWithEvidence(
  db: Db,
  organizationId: number,
  affectedIds: readonly number[],
): Promise<Set<number>> {
  if (affectedIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("evidence")
    .select("affected_service_id as affectedId")
    .distinct()
    .where("organization_id", "=", organizationId)
    .where(idIn("affected_service_id", affectedIds))
    .execute();
  return new Set(rows.map(({ affectedId }) => affectedId));
}

/** Later than any time that is stored. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Why each monitor in these incidents was found to be down, the newest outage first. */
const reasonsIn = (db: Db, incidentIds: readonly number[]) =>
  db
    .selectFrom("incidents")
    .innerJoin("affected_services as outage", "outage.incident_id", "incidents.id")
    .select(["incidents.id", "outage.monitor_id as monitorId"])
    .select((select) =>
      select
        .selectFrom("transitions")
        .select("reason")
        .whereRef("transitions.monitor_id", "=", "outage.monitor_id")
        .whereRef("transitions.at", ">=", "outage.outage_started_at")
        .where("transitions.at", "<=", sql<number>`coalesce(outage.outage_ended_at, ${sql.lit(ENDLESS)})`)
        .where("to_status", "=", "down")
        // Maintenance that begins or ends is recorded, too.
        .where("from_status", "!=", "down")
        .orderBy("transitions.at")
        .limit(1)
        .as("reason"),
    )
    .where(idIn("incidents.id", incidentIds))
    .where("outage.outage_started_at", "is not", null)
    .orderBy("outage.id", "desc");

/** Why the monitor that leads each of these incidents was found to be down, by the incident's id. */
export async function readOutageReasons(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, MessageDescriptor>> {
  if (incidentIds.length === 0) return new Map();
  const led = reasonsIn(db, incidentIds).whereRef("outage.monitor_id", "=", "incidents.monitor_id");
  return firstOf((await led.execute()).map(({ id, reason }) => [id, reason]));
}

/** Why each monitor that has an outage in an incident was found to be down, by the monitor's id. */
export async function readReasonsOfMonitors(
  db: Db,
  incidentId: number,
): Promise<Map<number, MessageDescriptor>> {
  const rows = await reasonsIn(db, [incidentId]).execute();
  return firstOf(
    rows.flatMap(({ monitorId, reason }) => (monitorId === null ? [] : [[monitorId, reason] as const])),
  );
}

/** A monitor may have been down twice in it: the first outage comes last. */
const firstOf = (
  reasons: readonly (readonly [id: number, reason: string | null])[],
): Map<number, MessageDescriptor> =>
  new Map(
    reasons.flatMap(([id, reason]) =>
      reason === null ? [] : [[id, parseMessage(reason) as MessageDescriptor] as const],
    ),
  );
