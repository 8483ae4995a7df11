import type { StoredOutcome } from "../../check/outcome.ts";
import type { StoredResult } from "../../result/stored-result.ts";
import { factJson, parseFact } from "../../texts/fact.ts";
import { compileEach, type Slots } from "../compile-once.ts";
import type { Db } from "../db.ts";
import type { ResultTable } from "../schema/results.ts";
import { type HotTable, insertNewTuples, type Tuple } from "../tuples.ts";

export interface RowsQuery {
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
export const insertRows = (trx: Db, results: readonly StoredResult[]): Promise<readonly boolean[]> =>
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
  factJson(result.reason),
  factJson(result.message),
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
    reason: parseFact(row.reason),
    message: parseFact(row.message),
    maintenance: row.maintenance,
  };
}
