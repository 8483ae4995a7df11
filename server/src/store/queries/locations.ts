import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

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
