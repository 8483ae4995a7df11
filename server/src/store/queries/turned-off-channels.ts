import type { Db } from "../db.ts";
import { among } from "../dialect.ts";

/** Since when a channel is off, milliseconds, and the name of who turned it off; null: Vedette did, or they are gone. */
export interface TurnedOff {
  at: number;
  byName: string | null;
}

/** Keeps that somebody turned a channel off, or on again. */
export async function noteTurnedOff(
  db: Db,
  id: number,
  turnedOff: { at: number; by: number } | null,
): Promise<void> {
  await db
    .updateTable("channels")
    .set({ turned_off_at: turnedOff?.at ?? null, turned_off_by: turnedOff?.by ?? null })
    .where("id", "=", id)
    .execute();
}

/** Those of these channels of which that is known, by id. */
export async function listTurnedOff(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, TurnedOff>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("channels")
    .leftJoin("users", "users.id", "channels.turned_off_by")
    .where(among(db, "channels.id", ids))
    .where("channels.enabled", "=", 0)
    .select(["channels.id", "channels.turned_off_at as at", "users.name as byName"])
    .execute();
  return new Map(rows.flatMap(({ id, at, byName }) => (at === null ? [] : [[id, { at, byName }] as const])));
}
