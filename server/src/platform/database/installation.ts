import { sql } from "kysely";
import { insertMany } from "./bulk.ts";
import type { Db } from "./schema.ts";
import { isPostgres } from "./sql.ts";

export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeMeta(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** The value of `key`, which becomes `value` if it has none: of several that claim it, one wins and all learn which. */
export async function claimMeta(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return (await readMeta(db, key)) ?? value;
}

/** True for one server, and for the next after `releaseLease`, or at `until` (milliseconds). */
export async function takeLease(db: Db, key: string, now: number, until: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("meta")
    .values({ key, value: String(until) })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ value: String(until) })
        // One that ends further ahead than any that is taken now was taken by a clock that was wrong.
        .where(
          sql<boolean>`(cast(meta.value as bigint) <= ${now} or cast(meta.value as bigint) > ${2 * until - now})`,
        ),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}

/** Lets a lease that ends at `from` last until `until`; false where it is another's by now, which stays. */
export async function renewLease(db: Db, key: string, from: number, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("meta")
    .set({ value: String(until) })
    .where("key", "=", key)
    .where("value", "=", String(from))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

/** Gives back a lease that ends at `until`; one that is another's by now stays. */
export async function releaseLease(db: Db, key: string, until: number): Promise<void> {
  await db.deleteFrom("meta").where("key", "=", key).where("value", "=", String(until)).execute();
}

/** Saves the larger of `value` and what is stored for `key`. */
export async function raiseMeta(db: Db, key: string, value: number): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value: String(value) })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ value: String(value) })
        .where(sql<boolean>`cast(meta.value as bigint) < ${value}`),
    )
    .execute();
}

/** What the database server's own clock says, milliseconds; null where the database is part of this process. */
export async function databaseTime(db: Db): Promise<number | null> {
  if (!isPostgres(db)) return null;
  const { rows } = await sql<{
    ms: string;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(db);
  return Number(rows[0]?.ms ?? 0);
}

export interface Location {
  id: number;
  /** e.g. `local`. */
  code: string;
  name: string;
}

/** Oldest first. There are a handful at most. */
export async function listLocations(db: Db): Promise<Location[]> {
  return db.selectFrom("locations").select(["id", "code", "name"]).orderBy("id").execute();
}

/** Ids by code; those not known yet are made. */
export async function ensureLocations(
  db: Db,
  codes: readonly string[],
  now: number,
  nameOf: (code: string) => string = (code) => code,
): Promise<Map<string, number>> {
  const known = await idsByCode(db);
  const missing = [...new Set(codes)].filter((code) => !known.has(code)).sort();
  if (missing.length === 0) return known;
  const rows = missing.map((code) => ({ code, name: nameOf(code), created_at: now }));
  await insertMany(db, "locations", rows, "nothing");
  return idsByCode(db);
}

const idsByCode = async (db: Db) => new Map((await listLocations(db)).map(({ id, code }) => [code, id]));

/** A process that checks from a location; `startedAt` (milliseconds) distinguishes two of one id. */
export interface ProbeProcess {
  id: string;
  locationId: number;
  startedAt: number;
}

/** Takes the id even from another process, with a later `startedAt`, so that the two are never confused. */
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

/** False when another process has claimed its id since. */
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

/** In a time that includes both ends, sorted. */
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

/** At `since` or later: is a server running on this store? */
export async function countLiveProbes(db: Db, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("probes")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("seen_at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** So that the others take over at their next heartbeat. */
export async function deleteProbe(db: Db, { id, startedAt }: ProbeProcess): Promise<void> {
  await db.deleteFrom("probes").where("id", "=", id).where("started_at", "=", startedAt).execute();
}

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
