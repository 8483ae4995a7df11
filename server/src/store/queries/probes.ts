import { sql } from "kysely";
import type { Db } from "../db.ts";

/** A process that checks from a location; `startedAt` (milliseconds) tells two of one id apart. */
export interface ProbeProcess {
  id: string;
  locationId: number;
  startedAt: number;
}

/**
 * Makes the id this process's own, whoever had it before. Its `startedAt` is later than the former
 * owner's even where the clock is not, so that no two processes of one id pass for each other.
 */
export async function claimProbe(
  db: Db,
  { id, locationId }: Omit<ProbeProcess, "startedAt">,
  now: number,
): Promise<ProbeProcess> {
  const row = { location_id: locationId, started_at: now, seen_at: now };
  const later = sql<number>`case when probes.started_at < excluded.started_at
    then excluded.started_at else probes.started_at + 1 end`;
  const claimed = await db
    .insertInto("probes")
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...row, started_at: later }))
    .returning("started_at")
    .executeTakeFirstOrThrow();
  return { id, locationId, startedAt: claimed.started_at };
}

/** Says that the process is alive. False when another one has claimed its id since. */
export async function recordHeartbeat(db: Db, probe: ProbeProcess, now: number): Promise<boolean> {
  const { id, locationId, startedAt } = probe;
  const written = await db
    .insertInto("probes")
    .values({ id, location_id: locationId, started_at: startedAt, seen_at: now })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ seen_at: now }).where("probes.started_at", "=", startedAt),
    )
    .returning("id")
    .execute();
  return written.length > 0;
}

/** The probes of a location that were seen in a time that includes both ends, sorted. */
export async function listLiveProbes(
  db: Db,
  locationId: number,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("probes")
    .select("id")
    .where("location_id", "=", locationId)
    .where("seen_at", ">=", from)
    .where("seen_at", "<=", to)
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

/** Forgets a process that stops, so that the others take over at their next heartbeat. */
export async function deleteProbe(db: Db, { id, startedAt }: ProbeProcess): Promise<void> {
  await db.deleteFrom("probes").where("id", "=", id).where("started_at", "=", startedAt).execute();
}

/** Forgets probes that were last seen before `before`. */
export async function deleteSilentProbes(db: Db, before: number): Promise<void> {
  await db.deleteFrom("probes").where("seen_at", "<", before).execute();
}

/** Whether a probe of one of these locations (codes; null: of any) was seen in a time that includes both ends. */
export async function hasLiveProbe(
  db: Db,
  locations: readonly string[] | null,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const found = await db
    .selectFrom("probes")
    .innerJoin("locations", "locations.id", "probes.location_id")
    .select("probes.id")
    .where("seen_at", ">=", from)
    .where("seen_at", "<=", to)
    .$if(locations !== null, (query) => query.where("locations.code", "in", locations ?? []))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
