import type { Db } from "./db.ts";

/** An API key that works again because of a restored backup. */
export interface RevivedKey {
  organization: string;
  name: string;
  /** How its token begins. */
  prefix: string;
}

/** The uuids of the keys that work at `now`, in whichever version the database is. */
export async function liveKeys(db: Db, now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom("api_keys")
    .select("uuid")
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The restored keys that work at `now` and are not among those that worked before. */
export async function revivedKeys(db: Db, before: ReadonlySet<string>, now: number): Promise<RevivedKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .select(["api_keys.uuid", "organizations.name as organization", "api_keys.name", "api_keys.prefix"])
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .orderBy("organizations.name")
    .orderBy("api_keys.id")
    .execute();
  return rows.filter(({ uuid }) => !before.has(uuid)).map(({ uuid: _, ...key }) => key);
}
