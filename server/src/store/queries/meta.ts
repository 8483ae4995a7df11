import { sql } from "kysely";
import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import { isPostgres } from "../dialect.ts";

/** A replica that dies at its work blocks the others for this long. */
const LEASE_MS = 3_600_000;

/** A value that the installation keeps for itself, or null. */
export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value ?? null;
}

/** Keeps `value` for `key`, whatever was kept before. */
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

/**
 * Whether the caller may do the work `key` names: true for one of all replicas, and for the next one
 * after `underLease`, or at `until` (milliseconds) if that never comes.
 */
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

/** Does the work under the lease that `key` names, which lasts an hour at most; false while another replica has it. */
export async function underLease(
  db: Db,
  key: string,
  now: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const until = now + LEASE_MS;
  if (!(await takeLease(db, key, now, until))) return false;
  await work().finally(() => releaseLease(db, key, until));
  return true;
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

/** Keeps the larger number of the one kept for `key` and `value`. */
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

/** A place checks run from. */
export interface Location {
  id: number;
  /** e.g. `local`. */
  code: string;
  name: string;
}

/** Every location, oldest first. There are a handful at most. */
export async function listLocations(db: Db): Promise<Location[]> {
  return db.selectFrom("locations").select(["id", "code", "name"]).orderBy("id").execute();
}

/** The number of each location by its code; those not known yet are made. */
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
