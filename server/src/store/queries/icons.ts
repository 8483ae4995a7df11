import type { Db } from "../open.ts";

export interface StoredIcon {
  monitorId: number;
  /** Empty when the site has none. */
  contentType: string;
  data: Uint8Array;
  fetchedAt: number;
}

/** The cached icon of a monitor, or null when none was looked for yet. */
export async function readIcon(db: Db, monitorId: number): Promise<StoredIcon | null> {
  const row = await db.selectFrom("icons").selectAll().where("monitor_id", "=", monitorId).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** The same by the monitor's uuid, for the public icon address, with the monitor's name. */
export async function readIconByUuid(
  db: Db,
  uuid: string,
): Promise<(StoredIcon & { monitorName: string }) | null> {
  const row = await db
    .selectFrom("icons")
    .innerJoin("monitors", "monitors.id", "icons.monitor_id")
    .selectAll("icons")
    .select("monitors.name")
    .where("monitors.uuid", "=", uuid)
    .where("monitors.deleted_at", "is", null)
    .executeTakeFirst();
  return row ? { ...fromRow(row), monitorName: row.name } : null;
}

/** Keeps what was found last, also that nothing was. */
export async function writeIcon(db: Db, icon: StoredIcon): Promise<void> {
  const row = { content_type: icon.contentType, data: icon.data, fetched_at: icon.fetchedAt };
  await db
    .insertInto("icons")
    .values({ monitor_id: icon.monitorId, ...row })
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet(row))
    .execute();
}

const fromRow = (row: {
  monitor_id: number;
  content_type: string;
  data: Uint8Array;
  fetched_at: number;
}): StoredIcon => ({
  monitorId: row.monitor_id,
  contentType: row.content_type,
  data: row.data,
  fetchedAt: row.fetched_at,
});
