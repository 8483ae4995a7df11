import { insertMany } from "../../platform/database/bulk.ts";
import type { Db } from "../../platform/database/schema.ts";
import { idIn } from "../../platform/database/sql.ts";
import { type MessageDescriptor, messageJson, parseMessage } from "../../platform/i18n/message.ts";
import type { IncidentStatus } from "../../platform/monitor-defaults.ts";

interface NewIncidentUpdate {
  organizationId: number;
  incidentId: number;
  /** Null: written by the service itself. */
  userId: number | null;
  status: string;
  message: string;
  /** What the message says, where the service itself wrote it. */
  descriptor: MessageDescriptor | null;
  at: number;
  /** It is the description with which a person opened the incident: no status page shows these words. */
  isOpening?: boolean;
  /** The status pages that it goes to, by their numbers; null: all of what the incident affects. */
  pages?: readonly number[] | null;
}

/** Appends to the incidents' logs. */
export async function insertIncidentUpdates(trx: Db, updates: readonly NewIncidentUpdate[]): Promise<void> {
  await insertMany(
    trx,
    "incident_updates",
    updates.map((each) => ({
      organization_id: each.organizationId,
      incident_id: each.incidentId,
      user_id: each.userId,
      status: each.status,
      message: each.message,
      descriptor: messageJson(each.descriptor),
      at: each.at,
      edited_at: null,
      is_opening: each.isOpening ? 1 : 0,
      pages: jsonOf(each.pages ?? null),
    })),
  );
}

/** An entry of an incident's log. Times in milliseconds. */
export interface IncidentUpdate {
  id: number;
  incidentId: number;
  status: string;
  message: string;
  descriptor: MessageDescriptor | null;
  /** Who wrote it; null: the service itself. */
  authorId: number | null;
  authorName: string | null;
  /** The status pages that it goes to, by their numbers, also of such as are gone; null: all of what the incident affects. */
  pageIds: number[] | null;
  /** The words are those with which a person opened the incident. */
  isOpening: boolean;
  createdAt: number;
  editedAt: number | null;
}

/** What an incident's log says, oldest first, from `offset` on. */
export async function listIncidentUpdates(
  db: Db,
  incidentId: number,
  page: { limit: number; offset: number },
): Promise<IncidentUpdate[]> {
  const rows = await shown(db, incidentId)
    .orderBy("incident_updates.at")
    .orderBy("incident_updates.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(fromRow);
}

export async function countIncidentUpdates(db: Db, incidentId: number): Promise<number> {
  const { count } = await db
    .selectFrom("incident_updates")
    .select((select) => select.fn.countAll().as("count"))
    .where("incident_id", "=", incidentId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many of its entries people wrote. */
export async function countWrittenUpdates(db: Db, incidentId: number): Promise<number> {
  const { count } = await db
    .selectFrom("incident_updates")
    .select((select) => select.fn.countAll().as("count"))
    .where("incident_id", "=", incidentId)
    .where("user_id", "is not", null)
    .where("descriptor", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The entry of that number; null where this incident has none. */
export async function findIncidentUpdate(
  db: Db,
  incidentId: number,
  id: number,
): Promise<IncidentUpdate | null> {
  const row = await shown(db, incidentId).where("incident_updates.id", "=", id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** The newest entry; every incident that was just written to has one. */
export async function findNewestUpdate(db: Db, incidentId: number): Promise<IncidentUpdate> {
  const query = shown(db, incidentId).orderBy("incident_updates.id", "desc").limit(1);
  return fromRow(await query.executeTakeFirstOrThrow());
}

const shown = (db: Db, incidentId: number) =>
  db
    .selectFrom("incident_updates")
    .leftJoin("users", "users.id", "incident_updates.user_id")
    .select([
      "incident_updates.id",
      "incident_updates.incident_id as incidentId",
      "incident_updates.status",
      "incident_updates.message",
      "incident_updates.descriptor",
      "incident_updates.user_id as authorId",
      "users.name as authorName",
      "incident_updates.at as createdAt",
      "incident_updates.edited_at as editedAt",
      "incident_updates.pages",
      "incident_updates.is_opening",
    ])
    .where("incident_updates.incident_id", "=", incidentId);

type Row = Awaited<ReturnType<ReturnType<typeof shown>["executeTakeFirstOrThrow"]>>;

const fromRow = ({ pages, is_opening, descriptor, ...row }: Row): IncidentUpdate => ({
  ...row,
  descriptor: parseMessage(descriptor),
  pageIds: pages === null ? null : (JSON.parse(pages) as number[]),
  isOpening: is_opening === 1,
});

const jsonOf = (pages: readonly number[] | null): string | null => pages && JSON.stringify(pages);

/** What a person changes of an entry; what is absent stays. */
interface IncidentUpdateEdit {
  message?: string | undefined;
  pages?: readonly number[] | null | undefined;
}

/** Rewrites an entry. */
export async function editIncidentUpdate(
  trx: Db,
  id: number,
  { message, pages }: IncidentUpdateEdit,
  now: number,
): Promise<void> {
  const set = {
    ...(message !== undefined && { message, descriptor: null, edited_at: now }),
    ...(pages !== undefined && { pages: jsonOf(pages) }),
  };
  if (Object.keys(set).length === 0) return;
  await trx.updateTable("incident_updates").set(set).where("id", "=", id).execute();
}

export async function deleteIncidentUpdate(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom("incident_updates").where("id", "=", id).execute();
}

/** A comment on an incident. Times in milliseconds. */
export interface IncidentComment {
  id: number;
  incidentId: number;
  content: string;
  isInternal: boolean;
  authorId: number | null;
  authorName: string | null;
  createdAt: number;
  editedAt: number | null;
}

/** Adds a comment; returns its number. */
export async function insertIncidentComment(
  trx: Db,
  comment: {
    organizationId: number;
    incidentId: number;
    userId: number;
    content: string;
    isInternal: boolean;
    at: number;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto("incident_comments")
    .values({
      organization_id: comment.organizationId,
      incident_id: comment.incidentId,
      user_id: comment.userId,
      content: comment.content,
      is_internal: comment.isInternal ? 1 : 0,
      at: comment.at,
      edited_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** An incident's comments, oldest first, from `offset` on. */
export async function listIncidentComments(
  db: Db,
  incidentId: number,
  page: { limit: number; offset: number },
): Promise<IncidentComment[]> {
  const rows = await shownComment(db, incidentId)
    .orderBy("incident_comments.at")
    .orderBy("incident_comments.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, isInternal: row.isInternal === 1 }));
}

export async function countIncidentComments(db: Db, incidentId: number): Promise<number> {
  const { count } = await db
    .selectFrom("incident_comments")
    .select((select) => select.fn.countAll().as("count"))
    .where("incident_id", "=", incidentId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The comment of that number; null where this incident has none. */
export async function findIncidentComment(
  db: Db,
  incidentId: number,
  id: number,
): Promise<IncidentComment | null> {
  const row = await shownComment(db, incidentId).where("incident_comments.id", "=", id).executeTakeFirst();
  return row ? { ...row, isInternal: row.isInternal === 1 } : null;
}

const shownComment = (db: Db, incidentId: number) =>
  db
    .selectFrom("incident_comments")
    .leftJoin("users", "users.id", "incident_comments.user_id")
    .select([
      "incident_comments.id",
      "incident_comments.incident_id as incidentId",
      "incident_comments.content",
      "incident_comments.is_internal as isInternal",
      "incident_comments.user_id as authorId",
      "users.name as authorName",
      "incident_comments.at as createdAt",
      "incident_comments.edited_at as editedAt",
    ])
    .where("incident_comments.incident_id", "=", incidentId);

export async function editIncidentComment(
  trx: Db,
  id: number,
  { content, isInternal }: Pick<IncidentComment, "content" | "isInternal">,
  now: number,
): Promise<void> {
  const set = { content, is_internal: isInternal ? (1 as const) : (0 as const), edited_at: now };
  await trx.updateTable("incident_comments").set(set).where("id", "=", id).execute();
}

export async function deleteIncidentComment(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom("incident_comments").where("id", "=", id).execute();
}

/** So many of an incident are read, the newest. */
const MAX_ENTRIES = 1_000;

/** An entry of an incident's log without its words. */
export interface LogOutline {
  id: number;
  /** False: the service wrote it itself. */
  isByPerson: boolean;
  status: IncidentStatus;
  descriptor: MessageDescriptor | null;
  isOpening: boolean;
  /** Milliseconds. */
  at: number;
}

/** What an incident's log has, oldest first. */
export async function readLogOutline(db: Db, incidentId: number): Promise<LogOutline[]> {
  const rows = await db
    .selectFrom("incident_updates")
    .select(["id", "user_id", "status", "descriptor", "is_opening", "at"])
    .where("incident_id", "=", incidentId)
    .orderBy("id", "desc")
    .limit(MAX_ENTRIES)
    .execute();
  return rows.reverse().map(({ user_id, status, descriptor, is_opening, ...row }) => ({
    ...row,
    isByPerson: user_id !== null,
    status: status as IncidentStatus,
    descriptor: parseMessage(descriptor),
    isOpening: is_opening === 1,
  }));
}

/** The uuids of pages, by their numbers; those that are gone are left out. */
export async function findPageUuids(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("status_pages").select(["id", "uuid"]).where(idIn("id", ids)).execute();
  return new Map(rows.map(({ id, uuid }) => [id, uuid] as const));
}

/** The organization's pages of these uuids, by them. */
export async function findPageIds(
  db: Db,
  organizationId: number,
  uuids: readonly string[],
): Promise<Map<string, number>> {
  if (uuids.length === 0) return new Map();
  const query = db.selectFrom("status_pages").select(["id", "uuid"]);
  const rows = await query.where("organization_id", "=", organizationId).where("uuid", "in", uuids).execute();
  return new Map(rows.map(({ id, uuid }) => [uuid, id] as const));
}
