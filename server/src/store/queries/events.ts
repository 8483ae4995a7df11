import { sql } from "kysely";
import { insertMany } from "../bulk.ts";
import { isPostgres } from "../dialect.ts";
import type { Db } from "../open.ts";

/** What PostgreSQL's replicas listen on. */
export const EVENT_CHANNEL = "vedette_events";
/** Any constant: whoever appends events holds this lock until it commits. */
const ORDER_LOCK = 7_303_014;

export interface NewEvent {
  organizationId: number;
  /** `status`, `results`, `notification`, `incident`, `monitor.changed` (wire/live.ts). */
  type: string;
  payload: object;
}

export interface StoredEvent extends NewEvent {
  id: number;
  payload: Record<string, unknown>;
  at: number;
}

/**
 * Appends to the live stream, in the transaction of what the events tell of; call `ctx.live.wake()`
 * after it commits. On PostgreSQL a lock makes ids become visible in their order, so that a reader
 * never steps over one that commits late. Call it last in the transaction: others wait for it.
 */
export async function appendEvents(trx: Db, events: readonly NewEvent[], now: number): Promise<void> {
  if (events.length === 0) return;
  const postgres = isPostgres(trx);
  if (postgres) await sql`select pg_advisory_xact_lock(${ORDER_LOCK})`.execute(trx);
  const rows = events.map((event) => ({
    organization_id: event.organizationId,
    type: event.type,
    payload: JSON.stringify(event.payload),
    at: now,
  }));
  await insertMany(trx, "events", rows);
  if (postgres) await sql`select pg_notify(${EVENT_CHANNEL}, '')`.execute(trx);
}

/** Events of every organization (or one) after `id`, oldest first. */
export async function readEventsAfter(
  db: Db,
  id: number,
  limit: number,
  only: { organizationId?: number; upTo?: number } = {},
): Promise<StoredEvent[]> {
  let query = db
    .selectFrom("events")
    .select(["id", "organization_id as organizationId", "type", "payload", "at"])
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit);
  if (only.organizationId !== undefined) query = query.where("organization_id", "=", only.organizationId);
  if (only.upTo !== undefined) query = query.where("id", "<=", only.upTo);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as Record<string, unknown> }));
}

/** The ids of the oldest and newest events kept; 0 and 0 while there are none. */
export async function eventBounds(db: Db): Promise<{ first: number; last: number }> {
  const row = await db
    .selectFrom("events")
    .select(({ fn }) => [fn.min("id").as("first"), fn.max("id").as("last")])
    .executeTakeFirst();
  return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
}

/** Forgets up to `limit` events older than `before`, but never the newest of all; returns how many. */
export async function deleteEventsBefore(db: Db, before: number, limit: number): Promise<number> {
  const { last } = await eventBounds(db);
  const result = await db
    .deleteFrom("events")
    .where("id", "in", (inner) =>
      inner
        .selectFrom("events")
        .select("id")
        .where("at", "<", before)
        .where("id", "<", last)
        .orderBy("at")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
