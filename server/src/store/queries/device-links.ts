import { insertMany } from "../bulk.ts";
import type { Db } from "../db.ts";
import type { NamedMonitor } from "./monitors.ts";

/** These run on the device from now on, and nothing else. */
export async function saveLinks(trx: Db, deviceId: number, monitorIds: readonly number[]): Promise<void> {
  await trx.deleteFrom("device_links").where("device_id", "=", deviceId).execute();
  await insertMany(
    trx,
    "device_links",
    monitorIds.map((id) => ({ device_id: deviceId, monitor_id: id })),
  );
}

/** What runs on the device, by name. */
export const readLinks = (db: Db, deviceId: number): Promise<NamedMonitor[]> =>
  db
    .selectFrom("device_links")
    .innerJoin("monitors", "monitors.id", "device_links.monitor_id")
    .select(["monitors.id", "monitors.uuid", "monitors.kind", "monitors.name"])
    .where("device_links.device_id", "=", deviceId)
    .where("monitors.deleted_at", "is", null)
    .orderBy("monitors.name")
    .orderBy("monitors.id")
    .execute();

/** The devices on which these monitors run, and those of them that are devices themselves. */
export async function devicesOf(
  db: Db,
  monitorIds: readonly number[],
): Promise<{ id: number; uuid: string; name: string }[]> {
  if (monitorIds.length === 0) return [];
  return db
    .selectFrom("monitors")
    .select(["id", "uuid", "name"])
    .where("kind", "=", "device")
    .where("deleted_at", "is", null)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("id", "in", monitorIds),
        eb("id", "in", selectFrom("device_links").select("device_id").where("monitor_id", "in", monitorIds)),
      ]),
    )
    .orderBy("name")
    .orderBy("id")
    .execute();
}
