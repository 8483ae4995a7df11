import { type SqlBool, sql } from "kysely";
import type { IncidentStatus } from "../../incident/states.ts";
import type { PageChange } from "../../notification/live-events.ts";
import type { TemplateText } from "../../page/update/template-text.ts";
import { type MessageDescriptor, parseMessage } from "../../texts/message.ts";
import { inSlices } from "../../turns.ts";
import type { Db } from "../db.ts";
import { idIn, isPostgres, lockRows } from "../dialect.ts";
import { PAGE_EVENT } from "./events.ts";
import { isRef, type Ref } from "./ref.ts";

/** So many of an incident are read, the newest; and so many in all, with so many characters. */
const MAX_OF_INCIDENT = 100;
const MAX_UPDATES = 2_000;
const MAX_CHARACTERS = 256 * 1024;
const READ_AT_ONCE = 100;
const INCIDENTS_AT_ONCE = 20;

/** An update that people wrote, or a change of state that they made. */
export interface PageUpdate {
  id: number;
  incidentId: number;
  status: IncidentStatus;
  /** Null where there are no words of theirs for visitors. */
  message: string | null;
  fact: MessageDescriptor | null;
  at: number;
}

/** What people wrote in an incident for a page. */
export interface PageUpdates {
  /** Oldest first. */
  newest: PageUpdate[];
  /** The number of the first that has words, or opened the incident, also where it is too old to be among these; null: there is none. */
  publishedFrom: number | null;
  /** There is more than the newest. */
  hasOlder: boolean;
}

/** Updates that people wrote for that page. */
const isFor = (pageId: number) => sql<SqlBool>`user_id is not null
  and (pages is null or replace(replace(pages, '[', ','), ']', ',') like ${`%,${pageId},%`})`;

/** Those of them that publish their incident there: that have words, or opened it. */
export const publishes = (pageId: number) => sql<SqlBool>`(${isFor(pageId)}
  and (incident_updates.fact is null or is_opening = 1))`;

type Found = Omit<PageUpdates, "newest"> & { id: number; incidentId: number };

/**
 * What people wrote in these incidents for that page, by the incident. However much that is, what is read has an end: of each
 * incident the newest update, then of each the one before, until it is enough.
 */
export async function readPageUpdates(
  db: Db,
  which: { pageId: number; incidentIds: readonly number[] },
): Promise<Map<number, PageUpdates>> {
  const found = await findNewest(db, which);
  const read = new Map<number, PageUpdate>();
  let characters = 0;
  await inSlices(found, READ_AT_ONCE, async (slice) => {
    if (characters > MAX_CHARACTERS) return;
    const updates = new Map((await readThese(db, slice)).map((update) => [update.id, update]));
    for (const { id } of slice) {
      const update = updates.get(id);
      characters += update?.message?.length ?? 0;
      if (update && characters <= MAX_CHARACTERS) read.set(id, update);
    }
  });
  const byIncident = Map.groupBy(found, ({ incidentId }) => incidentId);
  return new Map([...byIncident].map(([id, own]) => [id, updatesOf(own, read)]));
}

function updatesOf(found: readonly Found[], read: ReadonlyMap<number, PageUpdate>): PageUpdates {
  const newest = found.flatMap(({ id }) => read.get(id) ?? []).reverse();
  const [{ publishedFrom, hasOlder } = { publishedFrom: null, hasOlder: false }] = found;
  return { newest, publishedFrom, hasOlder: hasOlder || newest.length < found.length };
}

/** Which are the newest, without a look at what they say; the newest of every incident first. */
async function findNewest(
  db: Db,
  { pageId, incidentIds }: { pageId: number; incidentIds: readonly number[] },
): Promise<Found[]> {
  const known: { incidentId: number; publishedFrom: number | null; ids: number[] }[] = [];
  await inSlices(incidentIds, INCIDENTS_AT_ONCE, async (slice) => {
    known.push(...(await findNewestOf(db, pageId, slice)));
  });
  known.sort((a, b) => b.incidentId - a.incidentId);
  const found = Array.from({ length: MAX_OF_INCIDENT }, (_, place) =>
    known.flatMap(({ ids, ...own }) => {
      const id = ids[place];
      return id === undefined ? [] : [{ ...own, id, hasOlder: ids.length > MAX_OF_INCIDENT }];
    }),
  ).flat();
  const read = found.slice(0, MAX_UPDATES);
  const isCut = new Set(found.slice(MAX_UPDATES).map(({ incidentId }) => incidentId));
  return read.map((one) => ({ ...one, hasOlder: one.hasOlder || isCut.has(one.incidentId) }));
}

/** Of each incident the numbers of the newest, and of one more where there is one: by the index, however many there are. */
async function findNewestOf(db: Db, pageId: number, incidentIds: readonly number[]) {
  const joined = isPostgres(db) ? sql`string_agg(id::text, ',')` : sql`group_concat(id)`;
  const { rows } = await sql<{ incidentId: number; publishedFrom: number | null; ids: string | null }>`
    select incidents.id as "incidentId",
      (select id from incident_updates where incident_id = incidents.id and ${publishes(pageId)}
        order by id limit 1) as "publishedFrom",
      (select ${joined} from (
        select id from incident_updates where incident_id = incidents.id and ${isFor(pageId)}
        order by id desc limit ${MAX_OF_INCIDENT + 1}) as newest) as ids
    from incidents where ${idIn("incidents.id", incidentIds)}`.execute(db);
  return rows.map(({ ids, ...own }) => ({
    ...own,
    ids: (ids?.split(",") ?? []).map(Number).toSorted((a, b) => b - a),
  }));
}

async function readThese(db: Db, found: readonly Found[]): Promise<PageUpdate[]> {
  const rows = await db
    .selectFrom("incident_updates")
    .select(["id", "incident_id as incidentId", "status", "message", "fact", "at", "is_opening as isOpening"])
    .where(
      idIn(
        "id",
        found.map(({ id }) => id),
      ),
    )
    .execute();
  return rows.map(({ isOpening, status, message, fact, ...row }) => ({
    ...row,
    status: status as IncidentStatus,
    message: isOpening === 1 || fact !== null ? null : message,
    fact: parseMessage(fact),
  }));
}

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

/** The slugs of the pages that somebody changed, or changed what they show of, after that event. */
export async function listChangedAfter(db: Db, eventId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("events")
    .select("payload")
    .where("id", ">", eventId)
    .where("type", "=", PAGE_EVENT)
    .execute();
  const changes = rows.map(({ payload }) => JSON.parse(payload) as PageChange);
  // News are events of their own, of the organization.
  return [...new Set(changes.flatMap(({ slugs, isNews }) => (isNews ? [] : slugs)))];
}

/** Has the pages of these slugs looked at now, as far as anybody is told of them. */
export async function hastenLooksAt(db: Db, slugs: readonly string[], now: number): Promise<void> {
  if (slugs.length === 0) return;
  await db
    .updateTable("status_page_told")
    .set({ look_at: now })
    .where("page_id", "in", (select) =>
      select.selectFrom("status_pages").select("id").where("slug", "in", slugs),
    )
    .where("look_at", ">", now)
    .execute();
}
