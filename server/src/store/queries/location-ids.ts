import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";

/** The number of each location by its code; those not known yet are created, named after their code. */
export async function ensureLocations(
  trx: Db,
  codes: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const known = await locationIds(trx);
  const missing = [...new Set(codes)].filter((code) => !known.has(code)).sort();
  if (missing.length === 0) return known;
  const rows = missing.map((code) => ({ code, name: code, created_at: now }));
  await insertMany(trx, "locations", rows, "nothing");
  return locationIds(trx);
}

/** There are a handful at most, so all of them are read. */
async function locationIds(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom("locations").select(["id", "code"]).execute();
  return new Map(rows.map(({ id, code }) => [code, id]));
}
