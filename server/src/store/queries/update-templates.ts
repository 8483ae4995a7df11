import type { TemplateText } from "../../page/update/template-text.ts";
import type { Db } from "../db.ts";
import { lockRows } from "../dialect.ts";
import { isRef, type Ref } from "./ref.ts";

/** What people prepared for telling visitors of incidents. Times in milliseconds. */
export interface UpdateTemplate {
  id: number;
  uuid: string;
  organizationId: number;
  name: string;
  texts: TemplateText[];
  createdAt: number;
  updatedAt: number;
}

const templates = (db: Db) =>
  db
    .selectFrom("update_templates")
    .select(["id", "uuid", "organization_id as organizationId", "name", "texts"])
    .select(["created_at as createdAt", "updated_at as updatedAt"]);

type Row = Omit<UpdateTemplate, "texts"> & { texts: string };

const fromRow = ({ texts, ...row }: Row): UpdateTemplate => ({
  ...row,
  texts: JSON.parse(texts) as TemplateText[],
});

/** The organization's, oldest first. */
export async function listTemplates(
  db: Db,
  organizationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<UpdateTemplate[]> {
  const query = templates(db).where("organization_id", "=", organizationId).orderBy("id");
  return (await query.limit(limit).offset(offset).execute()).map(fromRow);
}

/** How many it has. */
export async function countTemplates(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("update_templates")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One of them; null when it is unknown or another organization's. */
export async function findTemplate(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<UpdateTemplate | null> {
  const query = templates(db)
    .where("organization_id", "=", organizationId)
    .where(isRef("update_templates", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Adds one and returns its number. */
export async function insertTemplate(
  trx: Db,
  { uuid, organizationId, name, texts }: Pick<UpdateTemplate, "uuid" | "organizationId" | "name" | "texts">,
  now: number,
): Promise<number> {
  const { id } = await trx
    .insertInto("update_templates")
    .values({
      ...{ uuid, organization_id: organizationId, name, texts: JSON.stringify(texts) },
      ...{ created_at: now, updated_at: now },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces what it is called and what it says. */
export async function saveTemplate(
  trx: Db,
  id: number,
  { name, texts }: Pick<UpdateTemplate, "name" | "texts">,
  now: number,
): Promise<void> {
  await trx
    .updateTable("update_templates")
    .set({ name, texts: JSON.stringify(texts), updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Removes one; false when it is gone. */
export async function deleteTemplate(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("update_templates").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}
