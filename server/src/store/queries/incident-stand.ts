import { sql } from "kysely";
import type { Severity } from "../../incident/states.ts";
import type { Db } from "../db.ts";
import { idOfMerged } from "./merged-incidents.ts";

/** How an incident stands. Milliseconds. */
interface StandRow {
  /** Of the one that has its outages. */
  id: number;
  severity: Severity;
  startedAt: number;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  /** The person, else the channel by whose link it was done. */
  acknowledgedBy: string | null;
}

/** How an incident stands, or what it was merged into; undefined: it was deleted. */
export const readIncidentStand = async (db: Db, incidentId: number): Promise<StandRow | undefined> =>
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
    .executeTakeFirst();
