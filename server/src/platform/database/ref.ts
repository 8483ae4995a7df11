import { type SqlBool, sql } from "kysely";
import { takeTurns } from "../turns.ts";
import type { Db } from "./db.ts";

/** A thing as people name it: by its number, or by its uuid. */
export type Ref = { id: number } | { uuid: string };

/** The condition "it is this one" of the table, for `where`. */
export const isRef = (table: string, ref: Ref) =>
  "id" in ref
    ? sql<SqlBool>`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql<SqlBool>`${sql.ref(`${table}.uuid`)} = ${ref.uuid}`;

/** The organization whose thing it is; undefined when it is unknown. */
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

/** The part of a list that is read, and in which order. */
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

/** In a query over `monitors`: the uuids of what each depends on, with commas between; null: of nothing that is still there. */
export const parentUuids = sql<string | null>`(
  select string_agg(parents.uuid, ',' order by parents.id) from monitor_parents
  join monitors as parents on parents.id = monitor_parents.parent_id
  where monitor_parents.monitor_id = monitors.id and parents.deleted_at is null)`;

/** What `parentUuids` gives, as a list. */
export const uuidsIn = (joined: string | null): string[] => (joined === null ? [] : joined.split(","));
