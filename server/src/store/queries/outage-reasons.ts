import { sql } from "kysely";
import { type Fact, parseFact } from "../../texts/fact.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";

/** Later than any time that is stored. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Why the monitor that leads each of these incidents was found to be down, by the incident's id. */
export async function readOutageReasons(db: Db, incidentIds: readonly number[]): Promise<Map<number, Fact>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("incidents")
    .innerJoin("affected_services as led", (join) =>
      join.onRef("led.incident_id", "=", "incidents.id").onRef("led.monitor_id", "=", "incidents.monitor_id"),
    )
    .select("incidents.id")
    .select((select) =>
      select
        .selectFrom("transitions")
        .select("reason")
        .whereRef("transitions.monitor_id", "=", "led.monitor_id")
        .whereRef("transitions.at", ">=", "led.outage_started_at")
        .where("transitions.at", "<=", sql<number>`coalesce(led.outage_ended_at, ${sql.lit(ENDLESS)})`)
        .where("to_status", "=", "down")
        // Maintenance that begins or ends is recorded, too.
        .where("from_status", "!=", "down")
        .orderBy("transitions.at")
        .limit(1)
        .as("reason"),
    )
    .where(idIn("incidents.id", incidentIds))
    .where("led.outage_started_at", "is not", null)
    .orderBy("led.id", "desc")
    .execute();
  // A monitor may have been down twice in it: the first outage comes last.
  return new Map(
    rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, parseFact(reason) as Fact] as const])),
  );
}
