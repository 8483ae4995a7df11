import type { Db } from "../db.ts";

export interface StoredIcon {
  monitorId: number;
  /** What its public address ends with; nobody can guess it. */
  token: string;
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

/** The same by its token, for the public icon address, with the monitor's name. */
export async function readIconByToken(
  db: Db,
  token: string,
): Promise<(StoredIcon & { monitorName: string }) | null> {
  const row = await db
    .selectFrom("icons")
    .innerJoin("monitors", "monitors.id", "icons.monitor_id")
    .selectAll("icons")
    .select("monitors.name")
    .where("icons.token", "=", token)
    .where("monitors.deleted_at", "is", null)
    .executeTakeFirst();
  return row ? { ...fromRow(row), monitorName: row.name } : null;
}

/** Keeps what was found last, also that nothing was. An icon known already keeps its token, the one returned. */
export async function writeIcon(db: Db, icon: StoredIcon): Promise<string> {
  const row = { content_type: icon.contentType, data: icon.data, fetched_at: icon.fetchedAt };
  const { token } = await db
    .insertInto("icons")
    .values({ monitor_id: icon.monitorId, token: icon.token, ...row })
    .onConflict((conflict) => conflict.column("monitor_id").doUpdateSet(row))
    .returning("token")
    .executeTakeFirstOrThrow();
  return token;
}

const fromRow = (row: {
  monitor_id: number;
  token: string;
  content_type: string;
  data: Uint8Array;
  fetched_at: number;
}): StoredIcon => ({
  monitorId: row.monitor_id,
  token: row.token,
  contentType: row.content_type,
  data: row.data,
  fetchedAt: row.fetched_at,
});
