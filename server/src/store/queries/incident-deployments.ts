import { sql } from "kysely";
import { LONGEST_DEPLOYMENT_MS, SUSPECT_MS } from "../../integration/deployment/rules.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { type Deployment, deploymentOf } from "./deployments.ts";

/** Each of these incidents' deployments that may be why it began (deployment/rules.ts says which of them is named). */
export async function listSuspects(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, Deployment[]>> {
  if (incidentIds.length === 0) return new Map();
  const earliest = sql<number>`incidents.started_at - ${LONGEST_DEPLOYMENT_MS + SUSPECT_MS}`;
  const rows = await db
    .selectFrom("incidents")
    .innerJoin("affected_services", "affected_services.incident_id", "incidents.id")
    .innerJoin("deployment_monitors", "deployment_monitors.monitor_id", "affected_services.monitor_id")
    .innerJoin("deployments", "deployments.id", "deployment_monitors.deployment_id")
    .selectAll("deployments")
    .select("incidents.id as incidentId")
    .where(idIn("incidents.id", incidentIds))
    .whereRef("deployment_monitors.started_at", "<=", "incidents.started_at")
    .where("deployment_monitors.started_at", ">=", earliest)
    .where("deployments.status", "!=", "cancelled")
    .orderBy("deployments.id")
    .execute();
  const found = Map.groupBy(rows, ({ incidentId }) => incidentId);
  return new Map(
    [...found].map(([id, own]) => [id, own.map(({ incidentId: _, ...row }) => deploymentOf(row))]),
  );
}
