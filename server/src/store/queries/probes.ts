import type { Db } from "../open.ts";

/** The number of a location, which is made when it is new. */
export async function ensureLocation(
  db: Db,
  location: { code: string; name: string },
  now: number,
): Promise<number> {
  await db
    .insertInto("locations")
    .values({ ...location, created_at: now })
    .onConflict((conflict) => conflict.column("code").doNothing())
    .execute();
  const { id } = await db
    .selectFrom("locations")
    .select("id")
    .where("code", "=", location.code)
    .executeTakeFirstOrThrow();
  return id;
}

/** Says that the probe is alive. `startedAt` counts the first time only. */
export async function recordHeartbeat(
  db: Db,
  probe: { id: string; locationId: number; startedAt: number },
  now: number,
): Promise<void> {
  await db
    .insertInto("probes")
    .values({ id: probe.id, location_id: probe.locationId, started_at: probe.startedAt, seen_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
    .execute();
}

/** The probes of a location that were seen at `since` or later, sorted. */
export async function listLiveProbes(db: Db, locationId: number, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom("probes")
    .select("id")
    .where("location_id", "=", locationId)
    .where("seen_at", ">=", since)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
}

/** How many probes, of whatever location, were seen at `since` or later: is a server running on this store? */
export async function countLiveProbes(db: Db, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("probes")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("seen_at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Forgets a probe that stops, so that the others take over at their next heartbeat. */
export async function deleteProbe(db: Db, id: string): Promise<void> {
  await db.deleteFrom("probes").where("id", "=", id).execute();
}

/** Forgets probes that were last seen before `before`. */
export async function deleteSilentProbes(db: Db, before: number): Promise<void> {
  await db.deleteFrom("probes").where("seen_at", "<", before).execute();
}
