import type { StoredOutcome } from "../../checks/outcome.ts";
import { type HotTable, insertNewTuples, type Tuple } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { among, compileEach, type Slots } from "../../platform/database/sql.ts";
import type { ResultTable } from "../../platform/database/tables/results.ts";
import { messageJson, parseMessage } from "../../platform/i18n/message.ts";
import { takeTurns } from "../../platform/turns.ts";
import { DamagedPackError, HOUR_MS, hourOf, unpackResults, unpackTimes } from "../results/pack-format.ts";
import { bucketStart } from "../results/precision.ts";
import type { StoredResult } from "../results/stored-result.ts";
import { type Pack, type PacksQuery, readPackedBefore, readPacks, readPacksOfHour } from "./packs.ts";

export interface ResultsQuery extends RowsQuery {
  /** By `scheduledAt`; newest first by default. */
  order?: "desc" | "asc";
  /** Called with packed hours that cannot be read and are left out; without it, the first of them is thrown. */
  onDamaged?: (error: DamagedPackError) => void;
}

const DAY_SECONDS = 86_400;

/** A number for a result that is unique within its monitor and below 2^53 (locations number under 1000). */
export const resultId = (result: Pick<StoredResult, "scheduledAt" | "locationId">): number =>
  result.scheduledAt * 1000 + result.locationId;

/** When the result of that id was due, milliseconds. */
export const timeOfResult = (id: number): number => Math.floor(id / 1000);

/**
 * Keeps the results that are not known yet, be it as rows or packed, and returns those, by monitor and time: a batch that comes
 * again changes nothing and returns nothing. The caller holds the monitors' states (lockStates), as packing does.
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

/** The same in parts of at most some hours, in the order requested; read only as far as the caller goes on. */
export async function* eachPart(db: Db, query: ResultsQuery): AsyncGenerator<readonly StoredResult[]> {
  const { order = "desc", limit, ...rest } = query;
  // Rows first: one that is packed meanwhile is then seen twice, which is corrected, instead of not at all.
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

interface RowsQuery {
  monitorId: number;
  /** Milliseconds, inclusive. */
  from: number;
  /** Milliseconds, exclusive. */
  to: number;
  limit: number;
  locationId?: number;
}

const RESULTS: HotTable = {
  name: "results",
  columns: {
    monitor_id: "bigint",
    location_id: "bigint",
    scheduled_at: "bigint",
    outcome: "integer",
    status_code: "integer",
    dns_us: "bigint",
    connect_us: "bigint",
    tls_us: "bigint",
    first_byte_us: "bigint",
    transfer_us: "bigint",
    total_us: "bigint",
    reason: "text",
    message: "text",
    maintenance: "integer",
  },
  keys: ["monitor_id", "scheduled_at", "location_id"],
};

/** Inserts results as rows; says of each whether it was not there yet. */
const insertRows = (trx: Db, results: readonly StoredResult[]): Promise<readonly boolean[]> =>
  insertNewTuples(trx, RESULTS, results.map(toTuple));

/** The results of a time range that are not packed. */
export async function listRows(db: Db, query: RowsQuery, order: "desc" | "asc"): Promise<StoredResult[]> {
  const { monitorId, from, to, limit, locationId } = query;
  const shape = { order, ofLocation: locationId !== undefined };
  const rows = await rowsOf(db, shape, { monitorId, from, to, limit, locationId: locationId ?? 0 });
  return rows.map(fromRow);
}

type RowValues = Record<"monitorId" | "from" | "to" | "limit" | "locationId", number>;
type RowShape = { order: "desc" | "asc"; ofLocation: boolean };

const rowsOf = compileEach((db, slots: Slots<RowValues>, { order, ofLocation }: RowShape) => {
  const rows = db
    .selectFrom("results")
    .selectAll()
    .where("monitor_id", "=", slots.monitorId)
    .where("scheduled_at", ">=", slots.from)
    .where("scheduled_at", "<", slots.to)
    .orderBy("scheduled_at", order)
    .orderBy("location_id", order)
    .limit(slots.limit);
  return ofLocation ? rows.where("location_id", "=", slots.locationId) : rows;
});

const toTuple = (result: StoredResult): Tuple => [
  result.monitorId,
  result.locationId,
  result.scheduledAt,
  result.outcome,
  result.statusCode,
  result.dnsUs,
  result.connectUs,
  result.tlsUs,
  result.firstByteUs,
  result.transferUs,
  result.totalUs,
  messageJson(result.reason),
  messageJson(result.message),
  result.maintenance,
];

function fromRow(row: ResultTable): StoredResult {
  return {
    monitorId: row.monitor_id,
    locationId: row.location_id,
    scheduledAt: row.scheduled_at,
    outcome: row.outcome as StoredOutcome,
    statusCode: row.status_code,
    dnsUs: row.dns_us,
    connectUs: row.connect_us,
    tlsUs: row.tls_us,
    firstByteUs: row.first_byte_us,
    transferUs: row.transfer_us,
    totalUs: row.total_us,
    reason: parseMessage(row.reason),
    message: parseMessage(row.message),
    maintenance: row.maintenance,
  };
}

interface PackedHoursQuery extends PacksQuery {
  /** Milliseconds, inclusive; `to` is exclusive. */
  from: number;
  /** Called with hours that cannot be read and are left out; without it, they are thrown. */
  onDamaged?: (error: DamagedPackError) => void;
}

/** The packed results of one hour, in the order requested. */
interface PackedHour {
  hourAt: number;
  results: StoredResult[];
}

/** A day and the hours it begins and ends in, of one location; then larger steps. */
const FIRST_PACKS = 26;
const MORE_PACKS = 104;

/** The packed results of a time range, hour by hour. Read only as far as the caller goes on. */
async function* eachPackedHour(db: Db, query: PackedHoursQuery): AsyncGenerator<PackedHour> {
  let packs: Pack[] = [];
  for (let limit = FIRST_PACKS, more = true; more; limit = MORE_PACKS) {
    const read = await readPacks(db, query, limit, packs.at(-1));
    packs = [...packs, ...read];
    more = read.length === limit;
    for (let begin = 0; packs[begin]; ) {
      const hourAt = (packs[begin] as Pack).hourAt;
      const next = packs.findIndex((pack, i) => i > begin && pack.hourAt !== hourAt);
      if (next < 0 && more) {
        // The hour may go on with the packs that are still to be read.
        packs = packs.slice(begin);
        break;
      }
      yield { hourAt, results: unpackHour(packs.slice(begin, next < 0 ? undefined : next), query) };
      if (next < 0) return;
      begin = next;
    }
  }
}

function unpackHour(packs: readonly Pack[], query: PackedHoursQuery): StoredResult[] {
  const parts = packs.map((pack) => unpackOr(pack, query));
  const all = parts.length === 1 ? (parts[0] as StoredResult[]) : parts.flat();
  const hourAt = packs[0]?.hourAt ?? 0;
  const isWhole = query.from <= hourAt && hourAt + HOUR_MS <= query.to;
  const wanted = isWhole
    ? all
    : all.filter(({ scheduledAt }) => query.from <= scheduledAt && scheduledAt < query.to);
  return parts.length > 1 ? wanted.sort(byTime(query.order)) : wanted;
}

function unpackOr(pack: Pack, { order, onDamaged }: PackedHoursQuery): StoredResult[] {
  try {
    return unpackResults(pack, pack.data, order);
  } catch (error) {
    if (!onDamaged || !(error instanceof DamagedPackError)) throw error;
    onDamaged(error);
    return [];
  }
}

/** The order of results: by time, then by location. */
const byTime =
  (order: "desc" | "asc") =>
  (a: StoredResult, b: StoredResult): number => {
    const ascending = a.scheduledAt - b.scheduledAt || a.locationId - b.locationId;
    return order === "asc" ? ascending : -ascending;
  };

/**
 * Those of the results that no pack has. Costs next to nothing as long as all are fresh, that is, of
 * hours of which no pack can be. The caller holds the monitors' states (lockStates), so that none is
 * packed meanwhile. In a pack that cannot be read nothing counts as known.
 */
async function withoutPacked(trx: Db, results: readonly StoredResult[]): Promise<readonly StoredResult[]> {
  const before = await readPackedBefore(trx);
  const late = results.filter(({ scheduledAt }) => scheduledAt < before);
  if (late.length === 0) return results;
  const known = new Set<string>();
  for (const [hourAt, own] of Map.groupBy(late, ({ scheduledAt }) => hourOf(scheduledAt))) {
    const monitorIds = [...new Set(own.map(({ monitorId }) => monitorId))];
    const places = new Set(own.map(placeOf));
    for (const pack of await readPacksOfHour(trx, hourAt, monitorIds)) {
      if (!places.has(placeOf(pack))) continue;
      for (const time of timesOf(pack)) known.add(`${placeOf(pack)} ${time}`);
    }
  }
  return results.filter((result) => !known.has(`${placeOf(result)} ${result.scheduledAt}`));
}

const placeOf = ({ monitorId, locationId }: Pick<StoredResult, "monitorId" | "locationId">) =>
  `${monitorId} ${locationId}`;

function timesOf(pack: Pack): number[] {
  try {
    return unpackTimes(pack, pack.data);
  } catch (error) {
    if (error instanceof DamagedPackError) return [];
    throw error;
  }
}
