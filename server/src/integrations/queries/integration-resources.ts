import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";

export interface FoundResource {
  externalId: string;
  type: string;
  name: string;
  place: string | null;
  state: string | null;
  address: string | null;
  /** What the provider needs to have it monitored. */
  details: object;
}

/** Milliseconds. */
export interface IntegrationResource extends FoundResource {
  id: number;
  uuid: string;
  integrationId: number;
  foundAt: number;
  removedAt: number | null;
  /** Null: never. */
  deploymentsAt: number | null;
  monitor: { id: number; uuid: string; kind: MonitorKind; name: string } | null;
}

const resources = (db: Db, integrationId: number) =>
  db
    .selectFrom("integration_resources")
    .leftJoin("monitors", (join) =>
      join
        .onRef("monitors.id", "=", "integration_resources.watcher_id")
        .on("monitors.deleted_at", "is", null),
    )
    .select([
      "integration_resources.id",
      "integration_resources.uuid",
      "integration_resources.integration_id as integrationId",
      "integration_resources.external_id as externalId",
      "integration_resources.type",
      "integration_resources.name",
      "integration_resources.place",
      "integration_resources.state",
      "integration_resources.address",
      "integration_resources.details",
      "integration_resources.found_at as foundAt",
      "integration_resources.removed_at as removedAt",
      "integration_resources.deployments_at as deploymentsAt",
      "monitors.id as monitorId",
      "monitors.uuid as monitorUuid",
      "monitors.kind as monitorKind",
      "monitors.name as monitorName",
    ])
    .where("integration_resources.integration_id", "=", integrationId);

type Row = Awaited<ReturnType<ReturnType<typeof resources>["execute"]>>[number];

function fromRow({
  monitorId,
  monitorUuid,
  monitorKind,
  monitorName,
  details,
  ...row
}: Row): IntegrationResource {
  const monitor =
    monitorId === null || monitorUuid === null || monitorKind === null
      ? null
      : { id: monitorId, uuid: monitorUuid, kind: monitorKind, name: monitorName ?? "" };
  return { ...row, details: JSON.parse(details), monitor };
}

/** By type and name. */
export async function listResources(db: Db, integrationId: number): Promise<IntegrationResource[]> {
  const query = resources(db, integrationId)
    .orderBy("integration_resources.type")
    .orderBy("integration_resources.name")
    .orderBy("integration_resources.id");
  return (await query.execute()).map(fromRow);
}

export async function findResource(
  db: Db,
  integrationId: number,
  ref: Ref,
): Promise<IntegrationResource | null> {
  const row = await resources(db, integrationId)
    .where(isRef("integration_resources", ref))
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** In all (including monitored ones that are gone), and monitored. */
export async function countResources(
  db: Db,
  integrationIds: readonly number[],
): Promise<Map<number, { resources: number; monitored: number }>> {
  const rows = await db
    .selectFrom("integration_resources")
    .leftJoin("monitors", (join) =>
      join
        .onRef("monitors.id", "=", "integration_resources.watcher_id")
        .on("monitors.deleted_at", "is", null),
    )
    .select("integration_id as integrationId")
    .select(({ fn }) => [
      fn.count<number>("integration_resources.id").as("resources"),
      fn.count<number>("monitors.id").as("monitored"),
    ])
    .where(idIn("integration_id", integrationIds))
    .where((eb) => eb.or([eb("removed_at", "is", null), eb("monitors.id", "is not", null)]))
    .groupBy("integration_id")
    .execute();
  return new Map(
    rows.map(({ integrationId, resources: all, monitored }) => [
      integrationId,
      { resources: Number(all), monitored: Number(monitored) },
    ]),
  );
}

/** The number of its monitor, locked; null: none. Undefined: the resource is gone. */
export async function lockResourceMonitor(trx: Db, id: number): Promise<number | null | undefined> {
  const query = trx
    .selectFrom("integration_resources")
    .select("watcher_id as monitorId")
    .where("id", "=", id);
  const row = await lockRows(trx, query).executeTakeFirst();
  if (!row) return undefined;
  if (row.monitorId === null) return null;
  const alive = trx.selectFrom("monitors").select("id").where("deleted_at", "is", null);
  return (await alive.where("id", "=", row.monitorId).executeTakeFirst())?.id ?? null;
}

export async function saveResourceMonitor(trx: Db, id: number, monitorId: number): Promise<void> {
  const query = trx.updateTable("integration_resources").set({ watcher_id: monitorId });
  await query.where("id", "=", id).execute();
}

export async function insertResources(
  trx: Db,
  integrationId: number,
  found: readonly (FoundResource & { uuid: string })[],
  now: number,
): Promise<void> {
  const rows = found.map(({ externalId, details, ...one }) => ({
    ...{ uuid: one.uuid, integration_id: integrationId, external_id: externalId },
    ...{ type: one.type, name: one.name, place: one.place, state: one.state, address: one.address },
    details: JSON.stringify(details),
    ...{ watcher_id: null, found_at: now, removed_at: null, deployments_at: null },
  }));
  await insertMany(trx, "integration_resources", rows);
}

export async function changeResources(
  trx: Db,
  changed: readonly (FoundResource & { id: number })[],
): Promise<void> {
  for (const { id, type, name, place, state, address, details } of changed) {
    await trx
      .updateTable("integration_resources")
      .set({ type, name, place, state, address, details: JSON.stringify(details), removed_at: null })
      .where("id", "=", id)
      .execute();
  }
}

export async function noteDeploymentsOf(trx: Db, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return;
  const query = trx.updateTable("integration_resources").set({ deployments_at: at });
  await query.where(idIn("id", ids)).execute();
}

/** Monitored ones stay and are marked, all others are deleted. */
export async function removeResources(trx: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .deleteFrom("integration_resources")
    .where(idIn("id", ids))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("monitors")
            .select("monitors.id")
            .whereRef("monitors.id", "=", "integration_resources.watcher_id")
            .where("monitors.deleted_at", "is", null),
        ),
      ),
    )
    .execute();
  await trx
    .updateTable("integration_resources")
    .set({ removed_at: now })
    .where(idIn("id", ids))
    .where("removed_at", "is", null)
    .execute();
}
