import { type DamagedPackError, hourOf } from "../../result/pack.ts";
import { bucketStart } from "../../result/range.ts";
import type { StoredResult } from "../../result/stored-result.ts";
import { takeTurns } from "../../turns.ts";
import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { byTime, eachPackedHour, type PackedHour, withoutPacked } from "./packed-results.ts";
import { insertRows, listRows, type RowsQuery } from "./result-rows.ts";

export interface ResultsQuery extends RowsQuery {
  /** By `scheduledAt`; newest first unless told otherwise. */
  order?: "desc" | "asc";
  /** Hears of packed hours that cannot be read and are left out; without it, the first of them is thrown. */
  onDamaged?: (error: DamagedPackError) => void;
}

const DAY_SECONDS = 86_400;

/** A number for a result that is unique within its monitor and below 2^53 (locations number under 1000). */
export const resultId = (result: Pick<StoredResult, "scheduledAt" | "locationId">): number =>
  result.scheduledAt * 1000 + result.locationId;

/** When the result of that id was due, milliseconds. */
export const timeOfResult = (id: number): number => Math.floor(id / 1000);

/**
 * Keeps the results that are not known yet, be it as rows or packed, and returns those, by monitor
 * and time: a batch that comes again changes nothing and returns nothing. The caller holds the monitors' states
 * (lockStates), as packing does.
 */
export async function insertResults(trx: Db, results: readonly StoredResult[]): Promise<StoredResult[]> {
  // The same order everywhere, so that two replicas with overlapping batches cannot wait in a circle.
  const wanted = (await withoutPacked(trx, results)).toSorted(
    (a, b) => a.monitorId - b.monitorId || a.scheduledAt - b.scheduledAt || a.locationId - b.locationId,
  );
  const isNew = await insertRows(trx, wanted);
  return wanted.filter((_result, index) => isNew[index]);
}

/** A monitor's results in a time range, those that are packed and those that are not. */
export async function listResults(db: Db, query: ResultsQuery): Promise<StoredResult[]> {
  const parts: (readonly StoredResult[])[] = [];
  let count = 0;
  const giveWay = takeTurns();
  for await (const part of eachPart(db, query)) {
    parts.push(part);
    count += part.length;
    if (count >= query.limit) break;
    await giveWay();
  }
  // Copied once, by the hour: pushing thousands of results took longer than reading some.
  return ([] as StoredResult[]).concat(...parts).slice(0, query.limit);
}

/** The same in parts of at most some hours, one after the other in the order asked for; read only as far as the caller goes on. */
export async function* eachPart(db: Db, query: ResultsQuery): AsyncGenerator<readonly StoredResult[]> {
  const { order = "desc", limit, ...rest } = query;
  // Rows first: one that is packed meanwhile is then seen twice, which is mended, instead of not at all.
  const rows = await listRows(db, query, order);
  const range = { ...rest, order, fromHour: hourOf(query.from) };
  const last = rows[limit - 1];
  if (last && order === "desc") range.fromHour = hourOf(last.scheduledAt);
  if (last && order === "asc") range.to = last.scheduledAt + 1;
  yield* mergeHours(rows, eachPackedHour(db, range), order);
}

/** Both are in `order`; so is what comes back, with each result once. */
async function* mergeHours(
  rows: readonly StoredResult[],
  hours: AsyncIterable<PackedHour>,
  order: "desc" | "asc",
): AsyncGenerator<readonly StoredResult[]> {
  let next = 0;
  const takeWhile = (wanted: (hourAt: number) => boolean): StoredResult[] => {
    const first = next;
    while (next < rows.length && wanted(hourOf((rows[next] as StoredResult).scheduledAt))) next += 1;
    return rows.slice(first, next);
  };
  for await (const { hourAt, results } of hours) {
    const before = takeWhile((at) => (order === "desc" ? at > hourAt : at < hourAt));
    if (before.length > 0) yield before;
    const late = takeWhile((at) => at === hourAt);
    yield late.length === 0 ? results : unique([...results, ...late]).sort(byTime(order));
  }
  if (next < rows.length) yield rows.slice(next);
}

/** The first of each. */
function unique(results: readonly StoredResult[]): StoredResult[] {
  const byId = new Map<number, StoredResult>();
  for (const result of results) if (!byId.has(resultId(result))) byId.set(resultId(result), result);
  return [...byId.values()];
}

/** Each location's newest results in a time range: location by location, newest first within one. */
export async function listResultsByLocation(
  db: Db,
  query: Omit<ResultsQuery, "limit" | "locationId" | "order"> & { limitPerLocation: number },
): Promise<StoredResult[]> {
  const { limitPerLocation: limit, ...rest } = query;
  const results: StoredResult[] = [];
  for (const locationId of await locationsOf(db, query)) {
    for (const result of await listResults(db, { ...rest, limit, locationId })) results.push(result);
  }
  return results;
}

/** Read off the roll-ups of whole days: there are few, and every location with a result has them. */
async function locationsOf(
  db: Db,
  query: { monitorId: number; from: number; to: number },
): Promise<number[]> {
  const first = bucketStart(query.from, DAY_SECONDS);
  const count = Math.max(0, Math.ceil((query.to - first) / (DAY_SECONDS * 1000)));
  const days = Array.from({ length: count }, (_, i) => first + i * DAY_SECONDS * 1000);
  const rows = await db
    .selectFrom("rollups")
    .select("location_id")
    .distinct()
    .where("period_seconds", "=", DAY_SECONDS)
    .where(among(db, "bucket_at", days))
    .where("monitor_id", "=", query.monitorId)
    .orderBy("location_id")
    .execute();
  return rows.map((row) => row.location_id);
}
