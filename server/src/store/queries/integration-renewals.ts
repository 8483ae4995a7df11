import type { Db } from "../db.ts";
import type { Integration } from "./integrations.ts";

/**
 * Whether this process may exchange its credentials now: one at a time, and only those of that version. A lease that ends
 * after `latest` is a wrong clock's.
 */
export async function claimRenewal(
  db: Db,
  { id, version }: Pick<Integration, "id" | "version">,
  { now, until, latest }: { now: number; until: number; latest: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integrations")
    .set({ renewing_until: until })
    .where("id", "=", id)
    .where("version", "=", version)
    .where(({ or, eb }) => or([eb("renewing_until", "<=", now), eb("renewing_until", ">", latest)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Keeps exchanged credentials. False: the account was linked anew meanwhile, or is gone. */
export async function saveRenewed(
  db: Db,
  { id, version }: Pick<Integration, "id" | "version">,
  { config, secrets }: Pick<Integration, "config" | "secrets">,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integrations")
    .set({ config: JSON.stringify(config), secrets, renewing_until: 0, version: version + 1 })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Lets others try to exchange them. */
export async function releaseRenewal(db: Db, { id, version }: Pick<Integration, "id" | "version">) {
  const query = db.updateTable("integrations").set({ renewing_until: 0 });
  await query.where("id", "=", id).where("version", "=", version).execute();
}
