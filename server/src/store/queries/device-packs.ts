import { packBegin, RESOLUTION_FACTS, type Resolution } from "../../device/metrics/resolutions.ts";
import { compileOnce, type Slots } from "../compile-once.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";

/** Which stretch of a device's metrics; `beginsAt`: milliseconds. */
export interface DevicePackKey {
  monitorId: number;
  resolution: Resolution;
  beginsAt: number;
}

/** That stretch in the form of device/metrics/series-pack.ts. */
export interface DevicePack extends DevicePackKey {
  series: Uint8Array;
}

export interface DevicePacksQuery {
  monitorId: number;
  resolution: Resolution;
  /** Milliseconds: packs with what was from then on. */
  from: number;
  /** Packs that begin before then. */
  to: number;
  limit: number;
}

/** A device's packs, newest first. */
export async function listDevicePacks(db: Db, query: DevicePacksQuery): Promise<DevicePack[]> {
  const { monitorId, resolution, to, limit } = query;
  const from = packBegin(resolution, query.from);
  const { seconds } = RESOLUTION_FACTS[resolution];
  const rows = await packsOf(db, { monitorId, seconds, from, to, limit });
  return rows.map((row) => ({ monitorId, resolution, ...row }));
}

const packsOf = compileOnce(
  (db, slots: Slots<Record<"monitorId" | "seconds" | "from" | "to" | "limit", number>>) =>
    db
      .selectFrom("device_packs")
      .select(["begins_at as beginsAt", "series"])
      .where("monitor_id", "=", slots.monitorId)
      .where("resolution", "=", slots.seconds)
      .where("begins_at", ">=", slots.from)
      .where("begins_at", "<", slots.to)
      .orderBy("begins_at", "desc")
      .limit(slots.limit),
);

/** The pack that has what was at `at`; null where there is none. */
export async function findDevicePack(
  db: Db,
  { monitorId, resolution, at }: { monitorId: number; resolution: Resolution; at: number },
): Promise<DevicePack | null> {
  const [pack] = await listDevicePacks(db, { monitorId, resolution, from: at, to: at + 1, limit: 1 });
  return pack ?? null;
}

/** The packs of one resolution of several devices that begin at these times. */
export async function listPacksOfDevices(
  db: Db,
  {
    monitorIds,
    resolution,
    begins,
  }: { monitorIds: readonly number[]; resolution: Resolution; begins: number[] },
): Promise<DevicePack[]> {
  const rows = await db
    .selectFrom("device_packs")
    .select(["monitor_id as monitorId", "begins_at as beginsAt", "series"])
    .where(among(db, "monitor_id", monitorIds))
    .where("resolution", "=", RESOLUTION_FACTS[resolution].seconds)
    .where(among(db, "begins_at", begins))
    .execute();
  return rows.map((row) => ({ resolution, ...row }));
}

/** Writes a pack in place of `before`, or as the first where that is null; false where something else is there by now. */
export async function replaceDevicePack(
  trx: Db,
  { monitorId, resolution, beginsAt, series }: DevicePack,
  before: Uint8Array | null,
): Promise<boolean> {
  const key = {
    monitor_id: monitorId,
    resolution: RESOLUTION_FACTS[resolution].seconds,
    begins_at: beginsAt,
  };
  if (before === null) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("device_packs")
      .values({ ...key, series })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return Number(numInsertedOrUpdatedRows) === 1;
  }
  const { numUpdatedRows } = await trx
    .updateTable("device_packs")
    .set({ series })
    .where("monitor_id", "=", key.monitor_id)
    .where("resolution", "=", key.resolution)
    .where("begins_at", "=", key.begins_at)
    .where("series", "=", before)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}
