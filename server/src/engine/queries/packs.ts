import { sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import { raiseMeta, readMeta } from "../../platform/database/installation.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, compileEach, type Slots } from "../../platform/database/sql.ts";
import type { PackKey } from "../results/pack-format.ts";

/** An hour of results in the form of engine/results/pack-format.ts. */
export interface Pack extends PackKey {
  data: Uint8Array;
}

const COLUMNS = [
  "monitor_id as monitorId",
  "hour_at as hourAt",
  "location_id as locationId",
  "data",
] as const;
const PACKED_BEFORE = "packed_before";

/** Milliseconds. No result from then on is in a pack; which of the earlier ones are, the packs say. */
export const readPackedBefore = async (db: Db): Promise<number> => Number(await readMeta(db, PACKED_BEFORE));

/** Announces packs of hours before `before`; must be committed before the first of them is written. */
export const raisePackedBefore = (db: Db, before: number): Promise<void> =>
  raiseMeta(db, PACKED_BEFORE, before);

export interface PacksQuery {
  monitorId: number;
  locationId?: number;
  /** Hours from this one on, milliseconds. */
  fromHour: number;
  /** Hours before this time. */
  to: number;
  order: "desc" | "asc";
}

/** A monitor's packs by hour and location, at most `limit` of them, from behind `after` on. */
export async function readPacks(
  db: Db,
  { monitorId, locationId, fromHour, to, order }: PacksQuery,
  limit: number,
  after?: PackKey,
): Promise<Pack[]> {
  const shape = { order, ofLocation: locationId !== undefined, isNext: after !== undefined };
  const values = { monitorId, locationId: locationId ?? 0, fromHour, to, limit };
  const behind = { afterHour: after?.hourAt ?? 0, afterLocation: after?.locationId ?? 0 };
  return packsOf(db, shape, { ...values, ...behind });
}

type PackValues = Record<
  "monitorId" | "locationId" | "fromHour" | "to" | "limit" | "afterHour" | "afterLocation",
  number
>;
type PackShape = { order: "desc" | "asc"; ofLocation: boolean; isNext: boolean };

const packsOf = compileEach((db, slots: Slots<PackValues>, { order, ofLocation, isNext }: PackShape) => {
  let packs = db
    .selectFrom("packs")
    .select(COLUMNS)
    .where("monitor_id", "=", slots.monitorId)
    .where("hour_at", ">=", slots.fromHour)
    .where("hour_at", "<", slots.to)
    .orderBy("hour_at", order)
    .orderBy("location_id", order)
    .limit(slots.limit);
  if (ofLocation) packs = packs.where("location_id", "=", slots.locationId);
  if (isNext) {
    const beyond = sql.raw(order === "desc" ? "<" : ">");
    packs = packs.where(
      sql<boolean>`(hour_at, location_id) ${beyond} (cast(${slots.afterHour} as bigint), cast(${slots.afterLocation} as bigint))`,
    );
  }
  return packs;
});

/** The packs of one hour of several monitors. */
export async function readPacksOfHour(
  db: Db,
  hourAt: number,
  monitorIds: readonly number[],
): Promise<Pack[]> {
  return db
    .selectFrom("packs")
    .select(COLUMNS)
    .where(among(db, "monitor_id", monitorIds))
    .where("hour_at", "=", hourAt)
    .execute();
}

/** Writes packs, in place of those with the same key. */
export async function savePacks(trx: Db, packs: readonly Pack[]): Promise<void> {
  const rows = packs.map(({ monitorId, hourAt, locationId, data }) => ({
    monitor_id: monitorId,
    hour_at: hourAt,
    location_id: locationId,
    data,
  }));
  await insertMany(trx, "packs", rows, {
    keys: ["monitor_id", "hour_at", "location_id"],
    update: ["data"],
  });
}
