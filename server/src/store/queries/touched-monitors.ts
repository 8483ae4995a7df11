import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import type { Deployment } from "./deployments.ts";

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

/** The organization's monitors with one of these tags (lower case), or with one of these names in any case. */
export async function findTaggedOrNamed(
  db: Db,
  organizationId: number,
  { tags, names }: { tags: readonly string[]; names: readonly string[] },
): Promise<number[]> {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const rows = await db
    .selectFrom("monitors")
    .select(["id", "name", "tags"])
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .execute();
  return rows
    .filter(
      (row) =>
        wanted.has(row.name.toLowerCase()) ||
        (tags.length > 0 &&
          (JSON.parse(row.tags) as string[]).some((tag) => tags.includes(tag.toLowerCase()))),
    )
    .map(({ id }) => id);
}
