import { type SqlBool, sql } from "kysely";
import type { Db } from "../db.ts";

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
