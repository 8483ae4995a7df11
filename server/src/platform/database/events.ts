import type { LiveEventType } from "../live-events.ts";
import { inSlices } from "../turns.ts";
import { type HotTable, insertMany, sendArrays } from "./bulk.ts";
import type { Db } from "./schema.ts";
import { isPostgres } from "./sql.ts";

/** What PostgreSQL's replicas listen on. */
export const EVENT_CHANNEL = "vedette_events";
/** Any constant: a process that writes events holds this lock until it commits. */
const ORDER_LOCK = 7_303_014;
const ROWS_A_SLICE = 250;

/** The organization of events between processes: it has no subscribers. */
export const INTERNAL_ORGANIZATION = 0;

export const RECHECK_EVENT = "recheck";

export const CHECK_NOW_EVENT = "check.now";

export const CHECKED_EVENT = "check.made";

export const PAGE_EVENT = "page.changed";

export const CANCEL_EVENT = "call.cancelled";

/** Between servers only; never sent to clients. */
export type InternalEventType =
  | "access.ended"
  | typeof RECHECK_EVENT
  | typeof CHECK_NOW_EVENT
  | typeof CHECKED_EVENT
  | typeof PAGE_EVENT
  | typeof CANCEL_EVENT;

export interface NewEvent {
  organizationId: number;
  type: LiveEventType | InternalEventType;
  payload: object;
}

export interface StoredEvent {
  id: number;
  organizationId: number;
  /** A newer server of the same database may write types that this one does not know. */
  type: string;
  /** JSON, as it was written. */
  payload: string;
}

interface EventRow {
  organization_id: number;
  type: string;
  payload: string;
  at: number;
}

const EVENTS: HotTable = {
  name: "events",
  columns: { organization_id: "bigint", type: "text", payload: "text", at: "bigint" },
  keys: ["id"],
};

const collected = new WeakMap<Db, EventRow[]>();

/** Lets the events of a transaction be collected. For `Store.transaction` alone, as is `writeEvents`. */
export function collectEvents(trx: Db): void {
  collected.set(trx, []);
}

/**
 * The rows are written right before the commit, since that makes other writers wait (docs/adr/0014). Call
 * `ctx.live.wake()` after it. `trx` is the handle that `Store.transaction` gave.
 */
export function appendEvents(trx: Db, events: readonly NewEvent[], now: number): void {
  const rows = collected.get(trx);
  if (!rows) throw new Error("Events are appended within Store.transaction, with the handle that it gives.");
  for (const { organizationId, type, payload } of events) {
    rows.push({ organization_id: organizationId, type, payload: JSON.stringify(payload), at: now });
  }
}

/** On PostgreSQL a lock makes ids visible in their order, so that no reader steps over a late commit. */
export async function writeEvents(trx: Db): Promise<void> {
  const rows = collected.get(trx) ?? [];
  // Not left to the garbage collector, which finds late what a WeakMap holds.
  collected.delete(trx);
  if (rows.length === 0) return;
  // A bulk action has thousands of them: others get the thread in between.
  if (!isPostgres(trx)) return inSlices(rows, ROWS_A_SLICE, (part) => insertMany(trx, "events", part));
  const tuples = rows.map((row) => [row.organization_id, row.type, row.payload, row.at]);
  await sendArrays(trx, EVENTS, tuples, inOrder);
}

/** PostgreSQL decides once, before the first row, whether there are any: by then it has the lock. */
const inOrder = (
  insert: string,
) => `with locked as materialized (select pg_advisory_xact_lock(${ORDER_LOCK})),
  written as (${insert} where exists (select from locked))
  select pg_notify('${EVENT_CHANNEL}', '')`;

/** Oldest first. */
export const readEventsAfter = (db: Db, id: number, limit: number): Promise<StoredEvent[]> =>
  db.selectFrom("events").select(columns).where("id", ">", id).orderBy("id").limit(limit).execute();

/** After `after` and up to `upTo`, newest first. */
export const readEventsBefore = (
  db: Db,
  range: { organizationId: number; types: readonly string[]; after: number; upTo: number },
  limit: number,
): Promise<StoredEvent[]> =>
  db
    .selectFrom("events")
    .select(columns)
    .where("organization_id", "=", range.organizationId)
    .where("type", "in", range.types)
    .where("id", ">", range.after)
    .where("id", "<=", range.upTo)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

const columns = ["id", "organization_id as organizationId", "type", "payload"] as const;

/** 0 while there are none. */
export async function lastEventId(db: Db): Promise<number> {
  const newest = await db
    .selectFrom("events")
    .select(({ fn }) => fn.max("id").as("id"))
    .executeTakeFirst();
  return Number(newest?.id ?? 0);
}

/** 0 while there are none. */
export async function firstEventId(db: Db): Promise<number> {
  const oldest = await db
    .selectFrom("events")
    .select(({ fn }) => fn.min("id").as("id"))
    .executeTakeFirst();
  return Number(oldest?.id ?? 0);
}

/** Forgets up to `limit` events older than `before`, but never the newest of all; returns how many. */
export async function deleteEventsBefore(db: Db, before: number, limit: number): Promise<number> {
  const last = await lastEventId(db);
  // Every replica does this: oldest first, which is in the order of the ids but for clocks that were set.
  const old = db.selectFrom("events").select("id").where("at", "<", before).where("id", "<", last);
  const oldest = old.orderBy("at").limit(limit);
  const result = await db
    .deleteFrom("events")
    .where("id", "in", isPostgres(db) ? oldest.forUpdate().skipLocked() : oldest)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
