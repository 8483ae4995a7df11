import type { Db } from "../../platform/database/schema.ts";
import { isRef, type ListPart, lockRows, type Ref } from "../../platform/database/sql.ts";
import type { ChatRole } from "../../platform/database/tables/assistant.ts";

/** Of one person, about one organization. Times in milliseconds. */
export interface Conversation {
  id: number;
  uuid: string;
  organizationId: number;
  title: string;
  createdAt: number;
  updatedAt: number;
}

interface ChatMessage {
  id: number;
  role: ChatRole;
  content: string;
  createdAt: number;
}

export interface ConversationOwner {
  userId: number;
  organizationId: number;
}

const conversationsOf = (db: Db, { userId, organizationId }: ConversationOwner) =>
  db
    .selectFrom("chat_conversations")
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId);

const COLUMNS = [
  "id",
  "uuid",
  "organization_id as organizationId",
  "title",
  "created_at as createdAt",
  "updated_at as updatedAt",
] as const;

/** Latest activity first; by `createdAt`, in the order of creation. */
export function listConversations(
  db: Db,
  owner: ConversationOwner,
  { limit, offset, sort }: Omit<ListPart, "way"> & { sort?: "createdAt" | "-createdAt" | undefined },
): Promise<Conversation[]> {
  const all = conversationsOf(db, owner).select(COLUMNS);
  const ordered = sort === undefined ? all.orderBy("updated_at", "desc") : all;
  return ordered
    .orderBy("id", sort === "createdAt" ? "asc" : "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countConversations(db: Db, owner: ConversationOwner): Promise<number> {
  const { count } = await conversationsOf(db, owner)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Null: unknown, another person's, or about another organization. */
export async function findConversation(
  db: Db,
  owner: ConversationOwner,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<Conversation | null> {
  const query = conversationsOf(db, owner).select(COLUMNS).where(isRef("chat_conversations", ref));
  return (await (lock ? lockRows(db, query) : query).executeTakeFirst()) ?? null;
}

export async function insertConversation(
  trx: Db,
  { userId, organizationId, uuid, title }: ConversationOwner & Pick<Conversation, "uuid" | "title">,
  now: number,
): Promise<number> {
  const row = { uuid, organization_id: organizationId, user_id: userId, title };
  const { id } = await trx
    .insertInto("chat_conversations")
    .values({ ...row, created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function renameConversation(trx: Db, id: number, title: string): Promise<void> {
  await trx.updateTable("chat_conversations").set({ title }).where("id", "=", id).execute();
}

/** With all its messages; false when it is gone. */
export async function deleteConversation(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("chat_conversations").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

export async function insertChatMessages(
  trx: Db,
  conversationId: number,
  said: readonly Pick<ChatMessage, "role" | "content">[],
  now: number,
): Promise<void> {
  const rows = said.map(({ role, content }) => ({ conversation_id: conversationId, role, content, at: now }));
  await trx.insertInto("chat_messages").values(rows).execute();
  await trx
    .updateTable("chat_conversations")
    .set({ updated_at: now })
    .where("id", "=", conversationId)
    .execute();
}

/** Those older than the message numbered `before`, oldest first. */
export async function listChatMessages(
  db: Db,
  conversationId: number,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<ChatMessage[]> {
  let query = db
    .selectFrom("chat_messages")
    .select(["id", "role", "content", "at as createdAt"])
    .where("conversation_id", "=", conversationId);
  if (before !== undefined) query = query.where("id", "<", before);
  return (await query.orderBy("id", "desc").limit(limit).execute()).reverse();
}

export async function countChatMessages(db: Db, conversationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("chat_messages")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("conversation_id", "=", conversationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
