import type { Db } from "../../platform/database/schema.ts";
import { isPostgres } from "../../platform/database/sql.ts";
import { HOUR_MS, hourOf, packResults, unpackResults } from "../results/pack-format.ts";
import type { StoredResult } from "../results/stored-result.ts";
import { type Pack, readPacks, savePacks } from "./packs.ts";
import { listRows } from "./results.ts";

/** Monitors after `afterId`, and when the oldest of their results before `before` was due: null for none. */
export async function listUnpacked(
  db: Db,
  { before, afterId, limit }: { before: number; afterId: number; limit: number },
): Promise<{ monitorId: number; oldestAt: number | null }[]> {
  return db
    .selectFrom("monitors")
    .select((select) => [
      "monitors.id as monitorId",
      select
        .selectFrom("results")
        .select("scheduled_at")
        .whereRef("results.monitor_id", "=", "monitors.id")
        .where("scheduled_at", "<", before)
        .orderBy("scheduled_at")
        .limit(1)
        .as("oldestAt"),
    ])
    .where("monitors.id", ">", afterId)
    .orderBy("monitors.id")
    .limit(limit)
    .execute();
}

export interface PackedSlice {
  /** Results that were packed, and packs that were written. */
  results: number;
  packs: number;
  /** The next slice begins here, milliseconds; null when there is none. */
  next: number | null;
  /** Why some were left as they are: a pack that cannot be read, a result that cannot be packed. */
  problems: unknown[];
}

/**
 * Packs a monitor's results of one hour, the oldest from `from` on, together with what is packed of that hour already; at most
 * `limit` rows. The monitor's state is locked, so that nothing is stored for it meanwhile (see withoutPacked).
 */
export async function packOldestHour(
  trx: Db,
  slice: { monitorId: number; from: number; before: number; limit: number },
): Promise<PackedSlice> {
  const { monitorId, from, before, limit } = slice;
  if (isPostgres(trx)) {
    await trx
      .selectFrom("monitor_states")
      .select("monitor_id")
      .where("monitor_id", "=", monitorId)
      .forUpdate()
      .execute();
  }
  const [oldest] = await listRows(trx, { monitorId, from, to: before, limit: 1 }, "asc");
  if (!oldest) return { results: 0, packs: 0, next: null, problems: [] };
  const hourAt = hourOf(oldest.scheduledAt);
  const to = hourAt + HOUR_MS;
  const rows = await listRows(trx, { monitorId, from: oldest.scheduledAt, to, limit }, "asc");
  const old = await readPacks(
    trx,
    { monitorId, fromHour: hourAt, to, order: "asc" },
    Number.MAX_SAFE_INTEGER,
  );
  const { packs, packed, problems } = packByLocation(hourAt, rows, old);
  await savePacks(trx, packs);
  await deleteRows(trx, packed);
  // A slice that was cut off may have cut between locations: that moment is looked at again.
  const last = rows.at(-1) as StoredResult;
  const next = rows.length === limit ? Math.max(last.scheduledAt, oldest.scheduledAt + 1) : to;
  return { results: packed.length, packs: packs.length, next: next < before ? next : null, problems };
}

function packByLocation(hourAt: number, rows: readonly StoredResult[], old: readonly Pack[]) {
  const packs: Pack[] = [];
  const packed: StoredResult[] = [];
  const problems: unknown[] = [];
  for (const [locationId, own] of Map.groupBy(rows, (row) => row.locationId)) {
    const key = { monitorId: (own[0] as StoredResult).monitorId, locationId, hourAt };
    const before = old.find((pack) => pack.locationId === locationId);
    try {
      // Of two results for the same time the packed one came first.
      const known = before ? unpackResults(key, before.data) : [];
      packs.push({ ...key, data: packResults(key, [...known, ...own]) });
      packed.push(...own);
    } catch (error) {
      problems.push(error);
    }
  }
  return { packs, packed, problems };
}

/** Removes exactly these rows of one hour, or throws: then something else has been written meanwhile. */
async function deleteRows(trx: Db, rows: readonly StoredResult[]): Promise<void> {
  let deleted = 0;
  for (const own of Map.groupBy(rows, (row) => row.locationId).values()) {
    const [first, last] = [own[0] as StoredResult, own.at(-1) as StoredResult];
    const { numDeletedRows } = await trx
      .deleteFrom("results")
      .where("monitor_id", "=", first.monitorId)
      .where("location_id", "=", first.locationId)
      .where("scheduled_at", ">=", first.scheduledAt)
      .where("scheduled_at", "<=", last.scheduledAt)
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
  }
  if (deleted === rows.length) return;
  throw new Error(`Of ${rows.length} results that were packed, ${deleted} were there to be removed.`);
}
