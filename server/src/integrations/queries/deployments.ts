import { type Selectable, sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, type ListPart, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { DeploymentTable } from "../../platform/database/tables/integrations.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import { type DeploymentStatus, LONGEST_DEPLOYMENT_MS, SUSPECT_MS } from "../deployments/rules.ts";

/** Milliseconds. */
export interface DeploymentDetails {
  name: string;
  version: string | null;
  environment: string | null;
  status: DeploymentStatus;
  author: string | null;
  message: string | null;
  url: string | null;
  startedAt: number;
  finishedAt: number | null;
}

export interface Deployment extends DeploymentDetails {
  id: number;
  uuid: string;
  organizationId: number;
  source: string;
  externalKey: string;
  reportedAt: number;
  createdAt: number;
  updatedAt: number;
}

/** By name. */
export interface ShownDeployment extends Deployment {
  monitors: TouchedMonitor[];
}

interface TouchedMonitor {
  id: number;
  uuid: string;
  kind: MonitorKind;
  name: string;
}

const deploymentOf = (row: Selectable<DeploymentTable>): Deployment => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  source: row.source,
  externalKey: row.external_key,
  name: row.name,
  version: row.version,
  environment: row.environment,
  status: row.status as DeploymentStatus,
  author: row.author,
  message: row.message,
  url: row.url,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  reportedAt: row.reported_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columnsOf = (details: DeploymentDetails) => ({
  name: details.name,
  version: details.version,
  environment: details.environment,
  status: details.status,
  author: details.author,
  message: details.message,
  url: details.url,
  started_at: details.startedAt,
  finished_at: details.finishedAt,
});

interface DeploymentFilter {
  organizationId: number;
  monitorIds?: readonly number[] | undefined;
  /** Start time, milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
}

const filtered = (db: Db, { organizationId, monitorIds, from, to }: DeploymentFilter) =>
  db
    .selectFrom("deployments")
    .where("organization_id", "=", organizationId)
    .$if(from !== undefined, (all) => all.where("deployments.started_at", ">=", from as number))
    .$if(to !== undefined, (all) => all.where("deployments.started_at", "<", to as number))
    .$if(monitorIds !== undefined, (all) =>
      all.where("deployments.id", "in", (select) =>
        select
          .selectFrom("deployment_monitors")
          .select("deployment_id")
          .where(idIn("monitor_id", monitorIds ?? []))
          .$if(from !== undefined, (own) => own.where("deployment_monitors.started_at", ">=", from as number))
          .$if(to !== undefined, (own) => own.where("deployment_monitors.started_at", "<", to as number)),
      ),
    );

export async function listDeployments(
  db: Db,
  filter: DeploymentFilter,
  { limit, offset, way }: ListPart,
): Promise<ShownDeployment[]> {
  const all = filtered(db, filter).selectAll();
  // Ascending pages follow the recording order: a deployment that began earlier may be recorded later.
  const newest = way === "desc" ? all.orderBy("deployments.started_at", way) : all;
  const query = newest.orderBy("deployments.id", way);
  return withMonitors(db, (await query.limit(limit).offset(offset).execute()).map(deploymentOf));
}

export async function countDeployments(db: Db, filter: DeploymentFilter): Promise<number> {
  const { count } = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findDeployment(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false } = {},
): Promise<ShownDeployment | null> {
  const query = db
    .selectFrom("deployments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isRef("deployments", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? ((await withMonitors(db, [deploymentOf(row)]))[0] ?? null) : null;
}

/** Locked; null: new. */
export async function findReportedDeployment(
  trx: Db,
  organizationId: number,
  externalKey: string,
): Promise<Deployment | null> {
  const query = trx
    .selectFrom("deployments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("external_key", "=", externalKey);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row ? deploymentOf(row) : null;
}

/** Undefined: another process has added the same. */
export async function insertDeployment(
  trx: Db,
  one: DeploymentDetails &
    Pick<Deployment, "uuid" | "organizationId" | "source" | "externalKey" | "reportedAt">,
  now: number,
): Promise<number | undefined> {
  const row = await trx
    .insertInto("deployments")
    .values({
      ...columnsOf(one),
      uuid: one.uuid,
      organization_id: one.organizationId,
      source: one.source,
      external_key: one.externalKey,
      reported_at: one.reportedAt,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["organization_id", "external_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function saveDeployment(
  trx: Db,
  id: number,
  details: DeploymentDetails & { reportedAt: number },
  now: number,
): Promise<void> {
  await trx
    .updateTable("deployments")
    .set({ ...columnsOf(details), reported_at: details.reportedAt, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** False when it is gone already. */
export async function deleteDeployment(trx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("deployments")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

async function withMonitors(db: Db, all: readonly Deployment[]): Promise<ShownDeployment[]> {
  const rows = await db
    .selectFrom("deployment_monitors")
    .innerJoin("monitors", "monitors.id", "deployment_monitors.monitor_id")
    .select([
      "deployment_id as deploymentId",
      "monitors.id",
      "monitors.uuid",
      "monitors.kind",
      "monitors.name",
    ])
    .where(
      idIn(
        "deployment_id",
        all.map(({ id }) => id),
      ),
    )
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.name")
    .orderBy("monitors.id")
    .execute();
  const byDeployment = Map.groupBy(rows, ({ deploymentId }) => deploymentId);
  return all.map((one) => ({
    ...one,
    monitors: (byDeployment.get(one.id) ?? []).map(({ deploymentId: _, ...monitor }) => monitor),
  }));
}

/**
 * Candidates for each incident (integrations/deployments/rules.ts chooses): of the organization and time,
 * each once however many monitors both affect.
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
    // Earlier ones are never named.
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

/** It touches these monitors, and no others. */
export async function saveTouched(
  trx: Db,
  { id, startedAt }: Pick<Deployment, "id" | "startedAt">,
  monitorIds: readonly number[],
): Promise<void> {
  await trx.deleteFrom("deployment_monitors").where("deployment_id", "=", id).execute();
  const rows = [...new Set(monitorIds)].map((monitorId) => ({
    ...{ monitor_id: monitorId, started_at: startedAt, deployment_id: id },
  }));
  await insertMany(trx, "deployment_monitors", rows, "nothing");
}

/** It began at another time than was thought. */
export async function moveTouched(
  trx: Db,
  { id, startedAt }: Pick<Deployment, "id" | "startedAt">,
): Promise<void> {
  const query = trx.updateTable("deployment_monitors").set({ started_at: startedAt });
  await query.where("deployment_id", "=", id).execute();
}
