import { sql } from "kysely";
import { LONGEST_DEPLOYMENT_MS, SUSPECT_MS } from "../../integration/deployment/rules.ts";
import type { Db } from "../db.ts";
import { idIn } from "../dialect.ts";
import { type Deployment, deploymentOf } from "./deployments.ts";

/**
 * Each of these incidents' deployments that may be why it began (deployment/rules.ts says which of them is named). They are
 * looked for among the organization's of that time, each once however many monitors both touch.
 */
export async function listSuspects(
  db: Db,
  incidentIds: readonly number[],
): Promise<Map<number, Deployment[]>> {
  if (incidentIds.length === 0) return new Map();
  const before = (ms: number) => sql<number>`incidents.started_at - ${ms}`;
  const rows = await db
    .selectFrom("incidents")
    .innerJoin("deployments", "deployments.organization_id", "incidents.organization_id")
    .selectAll("deployments")
    .select("incidents.id as incidentId")
    .where(idIn("incidents.id", incidentIds))
    .whereRef("deployments.started_at", "<=", "incidents.started_at")
    .where("deployments.started_at", ">=", before(LONGEST_DEPLOYMENT_MS + SUSPECT_MS))
    // What began and ended earlier is named by none.
    .where(({ or, eb }) =>
      or([
        eb("deployments.started_at", ">=", before(SUSPECT_MS)),
        eb("deployments.finished_at", ">=", before(SUSPECT_MS)),
      ]),
    )
    .where("deployments.status", "!=", "cancelled")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("deployment_monitors")
          .innerJoin("affected_services", "affected_services.monitor_id", "deployment_monitors.monitor_id")
          .select("deployment_monitors.monitor_id")
          .whereRef("deployment_monitors.deployment_id", "=", "deployments.id")
          .whereRef("affected_services.incident_id", "=", "incidents.id"),
      ),
    )
    .orderBy("deployments.id")
    .execute();
  const found = Map.groupBy(rows, ({ incidentId }) => incidentId);
  return new Map(
    [...found].map(([id, own]) => [id, own.map(({ incidentId: _, ...row }) => deploymentOf(row))]),
  );
}
