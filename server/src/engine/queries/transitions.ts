import { type RawBuilder, sql } from "kysely";
import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { compileOnce, idIn, idKeys, isPostgres, type Slots } from "../../platform/database/sql.ts";
import type { PeriodSeconds } from "../../platform/database/table.ts";
import type { TransitionTable } from "../../platform/database/tables/incidents.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { MonitorKind, Status } from "../../platform/monitor-defaults.ts";
import { takeTurns } from "../../platform/turns.ts";
import { bucketStart } from "../results/precision.ts";
import { type StatusChange, uptimePercentage } from "../status/uptime.ts";
import { type RollupRows, rowsAmong } from "./rollups.ts";

/** One row of the status history. `fromStatus` equals `toStatus` at the edge of a maintenance window. */
interface TransitionRow {
  organizationId: number;
  monitorId: number;
  fromStatus: Status;
  toStatus: Status;
  at: number;
  detectedAt: number;
  reason: MessageDescriptor | null;
  locationId: number | null;
  maintenance: boolean;
}

/** Appends to the history, in the order given. */
export async function insertTransitions(trx: Db, transitions: readonly TransitionRow[]): Promise<void> {
  await insertMany(
    trx,
    "transitions",
    transitions.map((each) => ({
      organization_id: each.organizationId,
      monitor_id: each.monitorId,
      from_status: each.fromStatus,
      to_status: each.toStatus,
      at: each.at,
      detected_at: each.detectedAt,
      reason: messageJson(each.reason),
      location_id: each.locationId,
      maintenance: each.maintenance ? 1 : 0,
    })),
  );
}

/**
 * Status at `from` and every change before `to`, by monitor, in order of time; a monitor without any
 * history has none. Two index walks a monitor, so a long history costs nothing outside the range.
 */
export async function statusHistory(
  db: Db,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, StatusChange[]>> {
  const histories = new Map<number, StatusChange[]>(monitorIds.map((id) => [id, []]));
  for (const row of await changesSince(db, { monitors: idKeys(monitorIds), from, to })) {
    const history = histories.get(row.monitor_id) as StatusChange[];
    const change = { at: Math.max(row.at, from), status: row.to_status, maintenance: row.maintenance === 1 };
    // Of changes at one moment before the range only the last is true in it.
    if (row.at <= from) history.length = 0;
    history.push(change);
  }
  return histories;
}

/** The changes of each monitor from the newest one that is not after `from`, and before `to`. */
const changesSince = compileOnce(
  (_db, { monitors, from, to }: Slots<{ monitors: string; from: number; to: number }>) =>
    sql<Pick<TransitionTable, "monitor_id" | "to_status" | "at" | "maintenance">>`
      select changes.monitor_id, changes.to_status, changes.at, changes.maintenance
      from (
        select wanted.id, coalesce((
          select max(known.at) from transitions as known where known.monitor_id = wanted.id and known.at <= ${from}
        ), ${from}) as since
        from (select cast(key as bigint) as id from json_each(${monitors})) as wanted
      ) as starts
      inner join transitions as changes
        on changes.monitor_id = starts.id and changes.at >= starts.since and changes.at < ${to}
      order by changes.monitor_id, changes.at, changes.id`,
);

/** A change of a monitor's status, with why. */
export interface StatusChangeRow extends StatusChange {
  reason: MessageDescriptor | null;
}

/** The newest changes of a monitor before `to`, back to the one that holds at `from`; newest first. Milliseconds. */
export async function listStatusChanges(
  db: Db,
  { monitorId, from, to, limit }: { monitorId: number; from: number; to: number; limit: number },
): Promise<StatusChangeRow[]> {
  const held = await db
    .selectFrom("transitions")
    .select(({ fn }) => fn.max<number | null>("at").as("at"))
    .where("monitor_id", "=", monitorId)
    .where("at", "<=", from)
    .executeTakeFirst();
  const rows = await db
    .selectFrom("transitions")
    .select(["at", "to_status as status", "maintenance", "reason"])
    .where("monitor_id", "=", monitorId)
    .where("at", ">=", held?.at ?? from)
    .where("at", "<", to)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    maintenance: row.maintenance === 1,
    reason: parseMessage(row.reason),
  }));
}

/** A change of status as it was recorded, with the code of the location that tipped it. */
export type RecordedChange = Omit<TransitionRow, "organizationId" | "monitorId" | "locationId"> & {
  location: string | null;
};

/** The newest changes of a monitor before `to` (milliseconds), in the order in which they were recorded. */
export async function listTransitions(
  db: Db,
  { monitorId, to, limit }: { monitorId: number; to: number; limit: number },
): Promise<RecordedChange[]> {
  const rows = await db
    .selectFrom("transitions")
    .leftJoin("locations", "locations.id", "transitions.location_id")
    .select(["from_status as fromStatus", "to_status as toStatus", "at", "detected_at as detectedAt"])
    .select(["reason", "maintenance", "locations.code as location"])
    .where("monitor_id", "=", monitorId)
    .where("at", "<", to)
    .orderBy("at", "desc")
    .orderBy("transitions.id", "desc")
    .limit(limit)
    .execute();
  return rows
    .toReversed()
    .map((row) => ({ ...row, maintenance: row.maintenance === 1, reason: parseMessage(row.reason) }));
}

/** Time-weighted uptime of each monitor between `from` and `to`, 0…100; null where nothing was known. */
export async function uptimeByMonitor(
  db: Db,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, number | null>> {
  const uptimes = new Map<number, number | null>();
  for (const [id, history] of await statusHistory(db, monitorIds, from, to)) {
    uptimes.set(id, uptimePercentage(history, from, to));
  }
  return uptimes;
}

/** Dates the changes after `now` of those among these monitors that have some after `limit` to `now`. Milliseconds. */
export async function correctTransitionDates(
  trx: Db,
  monitorIds: readonly number[],
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await trx
    .updateTable("transitions")
    .set({ at: now, detected_at: now })
    .where("monitor_id", "in", (wrong) =>
      wrong
        .selectFrom("transitions")
        .select("monitor_id")
        .where(idIn("monitor_id", monitorIds))
        .where("at", ">", limit),
    )
    .where("at", ">", now)
    .execute();
}

/** Milliseconds: several lengths of time that all end at `to`; `from` is where the longest begins. */
interface UptimesQuery {
  organizationId: number;
  kind: MonitorKind;
  from: number;
  to: number;
  lengthsMs: readonly number[];
}

/** Monitors whose history is read at once. */
const PAGE = 100;

/**
 * Time-weighted uptime of each of an organization's monitors of a kind over each length of time, in their order, 0…100;
 * null where nothing was known. Their history is read once, for the longest.
 */
async function readUptimes(
  db: Db,
  { from, to, lengthsMs, ...which }: UptimesQuery,
): Promise<Map<number, (number | null)[]>> {
  const rows = await ownedMonitors(db, which).select("monitors.id").execute();
  const uptimes = new Map<number, (number | null)[]>();
  const giveWay = takeTurns();
  for (let at = 0; at < rows.length; at += PAGE) {
    const ids = rows.slice(at, at + PAGE).map(({ id }) => id);
    for (const [id, history] of await statusHistory(db, ids, from, to)) {
      uptimes.set(
        id,
        lengthsMs.map((ms) => uptimePercentage(history, to - ms, to)),
      );
    }
    await giveWay();
  }
  return uptimes;
}

/**
 * The passed checks of some monitors over a range, all locations together. A row is a monitor, as they
 * were requested; the tables `timed` and `sumUs` have a column for each bucket, one row after another.
 */
export interface Latencies {
  /** The buckets' starts, oldest first, milliseconds. */
  bucketsAt: readonly number[];
  /** Passed checks that were timed; 0 where there is none. */
  timed: Float64Array;
  /** Microseconds, as are the smallest and the largest of each monitor: Infinity and 0 without any. */
  sumUs: Float64Array;
  minUs: Float64Array;
  maxUs: Float64Array;
}

/** Rows one query adds up: on SQLite nothing else happens while it does, so about 3 ms. */
const ROWS_A_QUERY = 10_000;

/**
 * The latencies of some monitors from `from` to before `to` (milliseconds; the bucket that `from` lies
 * in is the first one). No histogram is read. Tables of numbers, because as many objects or lists would
 * all be copied by the collector while they are being filled.
 */
export async function readLatencies(
  db: Db,
  query: { monitorIds: readonly number[]; from: number; to: number; periodSeconds: PeriodSeconds },
): Promise<Latencies> {
  const { monitorIds, periodSeconds } = query;
  const latencies = makeTables(query);
  const { bucketsAt } = latencies;
  const rowsOf = findRows(monitorIds);
  const columnOf = new Map(bucketsAt.map((at, column) => [at, column]));
  const bucketsAQuery = Math.max(1, Math.floor(ROWS_A_QUERY / monitorIds.length));
  const giveWay = takeTurns();
  for (let first = 0; first < bucketsAt.length; first += bucketsAQuery) {
    const buckets = bucketsAt.slice(first, first + bucketsAQuery);
    for (const bucket of await readBuckets(db, { periodSeconds, buckets, monitorIds })) {
      addBucket(latencies, bucket, columnOf.get(bucket.at) as number, rowsOf(bucket.ids));
    }
    await giveWay();
  }
  return latencies;
}

/** Gives the rows of the monitors in a list. Most buckets have the same list as the one before. */
function findRows(monitorIds: readonly number[]): (ids: string) => readonly number[] {
  const rowOf = new Map(monitorIds.map((id, row) => [id, row]));
  let known = "[]";
  let rows: number[] = [];
  return (ids) => {
    if (ids !== known) rows = numbers(ids).map((id) => rowOf.get(id) as number);
    known = ids;
    return rows;
  };
}

function makeTables({ monitorIds, from, to, periodSeconds }: Parameters<typeof readLatencies>[1]): Latencies {
  const periodMs = periodSeconds * 1000;
  const begin = bucketStart(from, periodSeconds);
  const rows = monitorIds.length;
  const columns = rows === 0 ? 0 : Math.max(0, Math.ceil((to - begin) / periodMs));
  return {
    bucketsAt: Array.from({ length: columns }, (_, i) => begin + i * periodMs),
    timed: new Float64Array(rows * columns),
    sumUs: new Float64Array(rows * columns),
    minUs: new Float64Array(rows).fill(Infinity),
    maxUs: new Float64Array(rows),
  };
}

/** The rows of a bucket as the engines write them: in columns, each a text of JSON, in the same order. */
interface Bucket {
  at: number;
  ids: string;
  timed: string;
  sumsUs: string;
  leastUs: string;
  mostUs: string;
}

/** Of the ways to fetch this many rows from SQLite, the cheapest: texts. Columns are read twice as fast as rows. */
async function readBuckets(db: Db, wanted: RollupRows): Promise<Bucket[]> {
  const list = (column: RawBuilder<unknown>) =>
    isPostgres(db) ? sql`json_agg(${column})::text` : sql`json_group_array(${column})`;
  const { rows } = await sql<Bucket>`
    select bucket_at as at, ${list(sql`monitor_id`)} as ids, ${list(sql`timed`)} as timed,
      ${list(sql`sum_us`)} as "sumsUs", ${list(sql`min_us`)} as "leastUs", ${list(sql`max_us`)} as "mostUs"
    from ${rowsAmong(db, wanted)}
    where timed > 0
    group by bucket_at`.execute(db);
  return rows;
}

function addBucket(to: Latencies, bucket: Bucket, column: number, rows: readonly number[]): void {
  const columns = to.bucketsAt.length;
  const timed = numbers(bucket.timed);
  const sumsUs = numbers(bucket.sumsUs);
  const leastUs = numbers(bucket.leastUs);
  const mostUs = numbers(bucket.mostUs);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    const cell = row * columns + column;
    // One row a location.
    to.timed[cell] = (to.timed[cell] as number) + (timed[i] as number);
    to.sumUs[cell] = (to.sumUs[cell] as number) + (sumsUs[i] as number);
    to.minUs[row] = Math.min(to.minUs[row] as number, leastUs[i] as number);
    to.maxUs[row] = Math.max(to.maxUs[row] as number, mostUs[i] as number);
  }
}

const numbers = (text: string): number[] => JSON.parse(text) as number[];

/** For `readInWorker`. */
export const UPTIMES = { name: "uptimes", read: readUptimes };

/** An organization's monitors of one kind, without deleted ones. */
export const ownedMonitors = (
  db: Db,
  owner: { organizationId: number | RawBuilder<number>; kind: MonitorKind | RawBuilder<MonitorKind> },
) =>
  db
    .selectFrom("monitors")
    .where("monitors.organization_id", "=", owner.organizationId)
    .where("monitors.kind", "=", owner.kind)
    .where("monitors.deleted_at", "is", null);
