import { sql } from "kysely";
import type { Db } from "../open.ts";

/** A value that the installation keeps for itself, or null. */
export async function readMeta(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value ?? null;
}

/** Sets the value of `key`, whether or not it has one. */
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
 * Whether the caller may do the work `key` names until `until` (milliseconds): true for one of all
 * replicas, and again for anyone once that time has passed.
 */
export async function takeLease(db: Db, key: string, now: number, until: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("meta")
    .values({ key, value: String(until) })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ value: String(until) })
        .where(sql<boolean>`cast(meta.value as bigint) <= ${now}`),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}
