import type { Message } from "../../alerts/channels/message.ts";
import { CONFIRMATION } from "../../alerts/queries/outbox.ts";
import { mergedOf } from "../../incidents/queries/incident-changes.ts";
import type { Db } from "../../platform/database/db.ts";
import { among, idIn, lockRows } from "../../platform/database/dialect.ts";
import type { ListPart } from "../../platform/database/ref.ts";
import { isRef, type Ref } from "../../platform/database/ref.ts";
import type { ChatRole } from "../../platform/database/tables/assistant.ts";

/** What one person and the assistant said to each other, about one organization. Times in milliseconds. */
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

/** Whose conversations: a person's, in an organization. */
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

/** A person's conversations, those in which something was said last first; by `createdAt`, in the order they were begun. */
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

/** How many there are. */
export async function countConversations(db: Db, owner: ConversationOwner): Promise<number> {
  const { count } = await conversationsOf(db, owner)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One of them; null when it is unknown, another person's, or about another organization. */
export async function findConversation(
  db: Db,
  owner: ConversationOwner,
  ref: Ref,
  { lock = false }: { lock?: boolean } = {},
): Promise<Conversation | null> {
  const query = conversationsOf(db, owner).select(COLUMNS).where(isRef("chat_conversations", ref));
  return (await (lock ? lockRows(db, query) : query).executeTakeFirst()) ?? null;
}

/** Adds one and returns its number. */
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

/** Calls it something else. */
export async function renameConversation(trx: Db, id: number, title: string): Promise<void> {
  await trx.updateTable("chat_conversations").set({ title }).where("id", "=", id).execute();
}

/** Removes one with all that was said in it; false when it is gone. */
export async function deleteConversation(trx: Db, id: number): Promise<boolean> {
  const query = trx.deleteFrom("chat_conversations").where("id", "=", id);
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

/** Adds what was said, in this order. */
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

/** The newest messages of a conversation that are older than the one with the number `before`, oldest first. */
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

/** How many messages it has. */
export async function countChatMessages(db: Db, conversationId: number): Promise<number> {
  const { count } = await db
    .selectFrom("chat_messages")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("conversation_id", "=", conversationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A message whose link is being used. */
export interface LinkedMessage {
  id: number;
  uuid: string;
  organizationId: number;
  channelId: number;
  /** JSON. */
  message: string;
  /** Where it was sent to. */
  recipient: string;
  createdAt: number;
  usedAt: number | null;
  /** Numbers of the incidents that have its outages now, or were merged since. */
  incidentIds: number[];
}

/** A message to a channel by its uuid; undefined when it is gone. */
export async function findLinkedMessage(db: Db, uuid: string): Promise<LinkedMessage | undefined> {
  const row = await db
    .selectFrom("outbox")
    .select(["id", "organization_id", "channel_id", "incident_id", "event", "message", "recipient"])
    .select(["created_at", "link_used_at"])
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  if (!row || row.organization_id === null || row.channel_id === null || row.message === null)
    return undefined;
  const alerts = await db
    .selectFrom("outbox_alerts")
    .innerJoin("alerts", "alerts.id", "outbox_alerts.alert_id")
    .select("alerts.subject")
    .where("outbox_alerts.delivery_id", "=", row.id)
    .execute();
  const named = alerts.flatMap(({ subject }) => {
    const [kind, id] = subject.split(" ");
    return kind === "incident" ? Number(id) : [];
  });
  const { outages = [] } = JSON.parse(row.message) as Message;
  const incidentIds = await incidentsOfOutages(db, outages, [
    ...new Set([...named, ...(row.incident_id === null ? [] : [row.incident_id])]),
  ]);
  return {
    id: row.id,
    uuid,
    organizationId: row.organization_id,
    channelId: row.channel_id,
    message: row.message,
    recipient: row.recipient,
    createdAt: row.created_at,
    usedAt: row.link_used_at,
    incidentIds: incidentIds.toSorted((a, b) => a - b),
  };
}

/** In which incidents these outages are now; those that the message was written for where none has them, or all were merged into one. */
async function incidentsOfOutages(
  db: Db,
  outages: NonNullable<Message["outages"]>,
  named: readonly number[],
): Promise<number[]> {
  if (outages.length === 0) return [...named];
  const isMentioned = new Set(outages.map(({ monitorId, startedAt }) => `${monitorId} ${startedAt}`));
  const rows = await db
    .selectFrom("affected_services")
    .select(["monitor_id", "incident_id", "outage_started_at"])
    .where(among(db, "monitor_id", [...new Set(outages.map(({ monitorId }) => monitorId))]))
    .where("outage_started_at", ">=", Math.min(...outages.map(({ startedAt }) => startedAt)))
    .execute();
  const found = rows.filter((row) => isMentioned.has(`${row.monitor_id} ${row.outage_started_at}`));
  const current = [...new Set(found.map((row) => row.incident_id))];
  const merged = current.length === 1 ? await mergedOf(db, named) : [];
  const isMerged = merged.length === 1 && merged[0] === current[0];
  return current.length === 0 || isMerged ? [...named] : current;
}

/** In which unresolved incident each of these monitors is down now; ids, by the monitor's. */
export async function findOpenIncidents(db: Db, monitorIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("affected_services")
    .innerJoin("incidents", "incidents.id", "affected_services.incident_id")
    .select(["affected_services.monitor_id as monitorId", "incidents.id"])
    .where(idIn("affected_services.monitor_id", monitorIds))
    .where("outage_started_at", "is not", null)
    .where("outage_ended_at", "is", null)
    .where("incidents.resolved_at", "is", null)
    .orderBy("incidents.id")
    .execute();
  return new Map(rows.map(({ monitorId, id }) => [Number(monitorId), id]));
}

/** Uses the link of a message up; false when it was used already. */
export async function useLink(trx: Db, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("outbox")
    .set({ link_used_at: now })
    .where("id", "=", id)
    .where("link_used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** A request for consent outlives the channel, which is to be deleted: repeating it is limited. */
export async function keepConfirmations(db: Db, channelIds: readonly number[]): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ channel_id: null })
    .where(among(db, "channel_id", channelIds))
    .where("event", "=", CONFIRMATION)
    .execute();
}
