import type { Insertable, Selectable } from "kysely";
import type { Db } from "../../platform/database/schema.ts";
import { idIn, isRef, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { Flag } from "../../platform/database/table.ts";
import type { StatusPageTable } from "../../platform/database/tables/status-pages.ts";
import { type LookSettings, USUAL_LOOK } from "../../platform/formats/contrast.ts";
import {
  ofEach,
  PAGE_SWITCHES,
  PAGE_TEXTS,
  type PlainSettings,
  SWITCH_NAMES,
  type SwitchColumn,
  TEXT_NAMES,
  type TextColumn,
} from "../plain-settings.ts";
import type { TemplateText } from "../update/template-text.ts";

export interface PageSettings extends PlainSettings {
  /** Null: no password. */
  passwordHash: string | null;
  /** Networks (CIDR) from which it can be read; empty: all. */
  allowedNetworks: readonly string[];
  look: LookSettings;
}

export interface StatusPage extends PageSettings {
  id: number;
  uuid: string;
  organizationId: number;
  /** Lower case. */
  customDomain: string | null;
  /** Part of its address; null: there is none. */
  logo: string | null;
  createdAt: number;
  updatedAt: number;
}

type PlainColumns = Pick<StatusPageTable, TextColumn | SwitchColumn>;

const plainColumns = (settings: PlainSettings) =>
  Object.fromEntries<string | Flag>([
    ...TEXT_NAMES.map((name) => [PAGE_TEXTS[name].column, settings[name]] as const),
    ...SWITCH_NAMES.map((name) => [PAGE_SWITCHES[name].column, settings[name] ? 1 : 0] as const),
  ]) as PlainColumns;

const plainOf = (row: PlainColumns): PlainSettings => ({
  ...ofEach(TEXT_NAMES, (name) => row[PAGE_TEXTS[name].column]),
  ...ofEach(SWITCH_NAMES, (name) => row[PAGE_SWITCHES[name].column] === 1),
});

const columnsOf = (settings: PageSettings) => ({
  ...plainColumns(settings),
  password_hash: settings.passwordHash,
  allowed_networks: JSON.stringify(settings.allowedNetworks),
  appearance: JSON.stringify(settings.look),
});

const fromRow = ({ logo, ...row }: Selectable<StatusPageTable> & { logo: string | null }): StatusPage => ({
  id: row.id,
  uuid: row.uuid,
  organizationId: row.organization_id,
  ...plainOf(row),
  passwordHash: row.password_hash,
  allowedNetworks: JSON.parse(row.allowed_networks) as string[],
  customDomain: row.custom_domain,
  look: { ...USUAL_LOOK, ...(JSON.parse(row.appearance) as Partial<LookSettings>) },
  logo,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const pages = (db: Db) =>
  db
    .selectFrom("status_pages")
    .selectAll("status_pages")
    .select((select) =>
      select
        .selectFrom("status_page_logos")
        .select("hash")
        .whereRef("page_id", "=", "status_pages.id")
        .as("logo"),
    );

export async function listPages(
  db: Db,
  organizationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<StatusPage[]> {
  const query = pages(db).where("organization_id", "=", organizationId).orderBy("id");
  return (await query.limit(limit).offset(offset).execute()).map(fromRow);
}

export async function countPages(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("status_pages")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Null when it is unknown or another organization's. `lock`: for changing it or its contents. */
export async function findPage(
  db: Db,
  organizationId: number,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<StatusPage | null> {
  const query = pages(db).where("organization_id", "=", organizationId).where(isRef("status_pages", ref));
  const row = await (lock ? lockRows(db, query) : query).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Of any organization; lock them before what belongs to them. */
export async function lockPages(trx: Db, ids: readonly number[]): Promise<void> {
  const query = trx.selectFrom("status_pages").select("id").where("id", "in", ids).orderBy("id");
  await lockRows(trx, query).execute();
}

/** Of any organization. */
export async function readPage(db: Db, id: number): Promise<StatusPage | null> {
  const row = await pages(db).where("status_pages.id", "=", id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Of any organization. */
export async function findPageBySlug(db: Db, slug: string): Promise<StatusPage | null> {
  const row = await pages(db).where("slug", "=", slug).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Other organizations' former slugs are reserved if given up after this time (ms). */
interface SlugWish {
  slug: string;
  organizationId: number;
  exceptId: number | null;
  givenUpBefore: number;
}

/**
 * `taken`: by another page than `exceptId`, in the whole installation; `former`: by another organization's
 * page before; null: available.
 */
export async function slugHindrance(db: Db, wish: SlugWish): Promise<"taken" | "former" | null> {
  const { slug, organizationId, exceptId, givenUpBefore } = wish;
  // One statement: a slug that is given up concurrently is seen as one or the other.
  const row = await db
    .selectFrom("status_pages")
    .select(({ lit }) => lit<number>(1).as("isTaken"))
    .where("slug", "=", slug)
    .where("id", "!=", exceptId ?? 0)
    .unionAll((union) =>
      union
        .selectFrom("status_page_former_slugs")
        .select(({ lit }) => lit<number>(0).as("isTaken"))
        .where("slug", "=", slug)
        .where("organization_id", "!=", organizationId)
        .where("given_up_at", ">", givenUpBefore),
    )
    .orderBy("isTaken", "desc")
    .executeTakeFirst();
  if (!row) return null;
  return row.isTaken === 1 ? "taken" : "former";
}

/** Throws the engine's error when the slug is taken. */
export async function insertPage(
  trx: Db,
  page: PageSettings & { uuid: string; organizationId: number },
  now: number,
): Promise<number> {
  const row: Insertable<StatusPageTable> = {
    ...columnsOf(page),
    uuid: page.uuid,
    organization_id: page.organizationId,
    custom_domain: null,
    created_at: now,
    updated_at: now,
  };
  const { id } = await trx.insertInto("status_pages").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

export async function savePage(trx: Db, id: number, settings: PageSettings): Promise<void> {
  await trx.updateTable("status_pages").set(columnsOf(settings)).where("id", "=", id).execute();
}

export async function touchPage(trx: Db, id: number, now: number): Promise<void> {
  await trx.updateTable("status_pages").set({ updated_at: now }).where("id", "=", id).execute();
}

/** With its contents; false when it is gone. */
export async function deletePage(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("status_pages").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

export async function listSlugsShowing(db: Db, monitorIds: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom("status_pages")
    .select("slug")
    .where("id", "in", (select) =>
      select.selectFrom("status_page_components").select("page_id").where(idIn("monitor_id", monitorIds)),
    )
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Per page; the oldest are released. */
const MAX_OF_ONE = 20;

interface PageSince {
  pageId: number;
  uuid: string;
  organizationId: number;
  name: string;
  present: string;
}

/** Null: none had it, or another page has it now. */
export async function findPageSince(db: Db, former: string): Promise<PageSince | null> {
  const row = await db
    .selectFrom("status_page_former_slugs as former")
    .innerJoin("status_pages as page", "page.id", "former.page_id")
    .select(["page.id as pageId", "page.uuid", "page.organization_id as organizationId", "page.name"])
    .select("page.slug as present")
    .where("former.slug", "=", former)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("status_pages").select("id").where("slug", "=", former))),
    )
    .executeTakeFirst();
  return row ?? null;
}

export async function findPageAt(db: Db, slug: string): Promise<StatusPage | null> {
  const page = await findPageBySlug(db, slug);
  if (page) return page;
  const since = await findPageSince(db, slug);
  return since === null ? null : findPageBySlug(db, since.present);
}

export async function freeFormerSlug(trx: Db, slug: string): Promise<void> {
  await trx.deleteFrom("status_page_former_slugs").where("slug", "=", slug).execute();
}

export async function keepFormerSlug(
  trx: Db,
  { id, organizationId, slug }: { id: number; organizationId: number; slug: string },
  now: number,
): Promise<void> {
  await freeFormerSlug(trx, slug);
  const row = { slug, organization_id: organizationId, page_id: id, given_up_at: now };
  await trx.insertInto("status_page_former_slugs").values(row).execute();
  await trx
    .deleteFrom("status_page_former_slugs")
    .where("page_id", "=", id)
    .where("slug", "not in", (select) =>
      select
        .selectFrom("status_page_former_slugs")
        .select("slug")
        .where("page_id", "=", id)
        .orderBy("given_up_at", "desc")
        .orderBy("slug")
        .limit(MAX_OF_ONE),
    )
    .execute();
}

/** Times in milliseconds. */
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

type TemplateRow = Omit<UpdateTemplate, "texts"> & { texts: string };

const templateOf = ({ texts, ...row }: TemplateRow): UpdateTemplate => ({
  ...row,
  texts: JSON.parse(texts) as TemplateText[],
});

/** Oldest first. */
export async function listTemplates(
  db: Db,
  organizationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<UpdateTemplate[]> {
  const query = templates(db).where("organization_id", "=", organizationId).orderBy("id");
  return (await query.limit(limit).offset(offset).execute()).map(templateOf);
}

export async function countTemplates(db: Db, organizationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("update_templates")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Null when it is unknown or another organization's. */
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
  return row ? templateOf(row) : null;
}

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

/** False when it is gone. */
export async function deleteTemplate(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("update_templates").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}
