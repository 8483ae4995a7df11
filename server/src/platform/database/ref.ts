import { type SqlBool, sql } from "kysely";
import { takeTurns } from "../turns.ts";
import type { Db } from "./db.ts";

export type Ref = { id: number } | { uuid: string };

export const isRef = (table: string, ref: Ref) =>
  "id" in ref
    ? sql<SqlBool>`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql<SqlBool>`${sql.ref(`${table}.uuid`)} = ${ref.uuid}`;

/** Undefined when it is unknown. */
export async function findOwner(
  db: Db,
  table:
    | "api_keys"
    | "chat_conversations"
    | "deployment_webhooks"
    | "deployments"
    | "enrollment_tokens"
    | "incidents"
    | "integrations"
    | "maintenance_windows"
    | "monitors"
    | "notifications"
    | "status_pages"
    | "update_templates",
  ref: Ref,
): Promise<number | undefined> {
  const query = db.selectFrom(table).select("organization_id as owner");
  return (await query.where(isRef(table, ref)).executeTakeFirst())?.owner;
}

export interface ListPart {
  limit: number;
  offset: number;
  /** By the time of its items: `desc` is the newest first. */
  way: "asc" | "desc";
}

/** All rows, by number: `pageAfter` reads at most `size` of those after an id. Others get their turn between two pages. */
export async function readByNumber<Row extends { id: number }>(
  size: number,
  pageAfter: (afterId: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  const giveWay = takeTurns();
  for (let afterId = 0; ; ) {
    const rows = await pageAfter(afterId);
    for (const row of rows) all.push(row);
    if (rows.length < size) return all;
    afterId = (rows.at(-1) as Row).id;
    await giveWay();
  }
}

/** The uuids of a monitor's parents, with commas between; null: none. */
export const parentUuids = sql<string | null>`(
  select string_agg(parents.uuid, ',' order by parents.id) from monitor_parents
  join monitors as parents on parents.id = monitor_parents.parent_id
  where monitor_parents.monitor_id = monitors.id and parents.deleted_at is null)`;

export const uuidsIn = (joined: string | null): string[] => (joined === null ? [] : joined.split(","));
