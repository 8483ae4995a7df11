import type { Db } from "../db.ts";

/** What somebody said about an incident. Times in milliseconds. */
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
  const rows = await shown(db, incidentId)
    .orderBy("incident_comments.at")
    .orderBy("incident_comments.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...row, isInternal: row.isInternal === 1 }));
}

/** How many there are. */
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
  const row = await shown(db, incidentId).where("incident_comments.id", "=", id).executeTakeFirst();
  return row ? { ...row, isInternal: row.isInternal === 1 } : null;
}

const shown = (db: Db, incidentId: number) =>
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

/** Rewrites a comment. */
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
