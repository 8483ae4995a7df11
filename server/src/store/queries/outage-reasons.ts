import { sql } from "kysely";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

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
export async function readOutageReasons(db: Db, incidentIds: readonly number[]): Promise<Map<number, Fact>> {
  if (incidentIds.length === 0) return new Map();
  const led = reasonsIn(db, incidentIds).whereRef("outage.monitor_id", "=", "incidents.monitor_id");
  return firstOf((await led.execute()).map(({ id, reason }) => [id, reason]));
}

/** Why each monitor that has an outage in an incident was found to be down, by the monitor's id. */
export async function readReasonsOfMonitors(db: Db, incidentId: number): Promise<Map<number, Fact>> {
  const rows = await reasonsIn(db, [incidentId]).execute();
  return firstOf(
    rows.flatMap(({ monitorId, reason }) => (monitorId === null ? [] : [[monitorId, reason] as const])),
  );
}

/** A monitor may have been down twice in it: the first outage comes last. */
const firstOf = (reasons: readonly (readonly [id: number, reason: string | null])[]): Map<number, Fact> =>
  new Map(
    reasons.flatMap(([id, reason]) => (reason === null ? [] : [[id, parseFact(reason) as Fact] as const])),
  );
