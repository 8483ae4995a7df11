import type { Db } from "../../platform/database/schema.ts";
import type { CallState } from "../../platform/database/tables/assistant.ts";
import type { ConversationOwner } from "./conversations.ts";

/** Times in milliseconds. */
export interface AssistantCall {
  id: number;
  uuid: string;
  conversationId: number;
  messageId: number;
  tool: string;
  title: string;
  description: string;
  arguments: string;
  subject: string | null;
  state: CallState;
  result: string | null;
  createdAt: number;
  decidedAt: number | null;
  expiresAt: number | null;
}

const COLUMNS = [
  "assistant_calls.id",
  "assistant_calls.uuid",
  "conversation_id as conversationId",
  "message_id as messageId",
  "tool",
  "assistant_calls.title",
  "description",
  "arguments",
  "subject",
  "state",
  "result",
  "assistant_calls.created_at as createdAt",
  "decided_at as decidedAt",
  "expires_at as expiresAt",
] as const;

export async function insertAssistantCalls(
  trx: Db,
  calls: readonly Omit<AssistantCall, "id" | "decidedAt">[],
): Promise<void> {
  if (calls.length === 0) return;
  const rows = calls.map((call) => ({
    uuid: call.uuid,
    conversation_id: call.conversationId,
    message_id: call.messageId,
    tool: call.tool,
    title: call.title,
    description: call.description,
    arguments: call.arguments,
    subject: call.subject,
    state: call.state,
    result: call.result,
    created_at: call.createdAt,
    expires_at: call.expiresAt,
  }));
  await trx.insertInto("assistant_calls").values(rows).execute();
}

/** In the order they were made. */
export const listAssistantCalls = (
  db: Db,
  conversationId: number,
  [first, last]: readonly [number, number],
): Promise<AssistantCall[]> =>
  db
    .selectFrom("assistant_calls")
    .select(COLUMNS)
    .where("conversation_id", "=", conversationId)
    .where("message_id", ">=", first)
    .where("message_id", "<=", last)
    .orderBy("id")
    .execute();

export const listCallsNamed = (
  db: Db,
  conversationId: number,
  uuids: readonly string[],
): Promise<AssistantCall[]> =>
  db
    .selectFrom("assistant_calls")
    .select(COLUMNS)
    .where("conversation_id", "=", conversationId)
    .where("uuid", "in", uuids.length > 0 ? uuids : [""])
    .orderBy("id")
    .execute();

const named = (db: Db, uuid: string) =>
  db
    .selectFrom("assistant_calls")
    .innerJoin("chat_conversations", "chat_conversations.id", "conversation_id")
    .where("assistant_calls.uuid", "=", uuid);

/** Undefined: unknown, or another person's. */
export const findAssistantCall = (
  db: Db,
  { userId, organizationId }: ConversationOwner,
  uuid: string,
): Promise<AssistantCall | undefined> =>
  named(db, uuid)
    .select(COLUMNS)
    .where("user_id", "=", userId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();

/** Undefined: unknown. */
export const findOwnerOfCall = async (db: Db, uuid: string): Promise<number | undefined> =>
  (await named(db, uuid).select("organization_id as owner").executeTakeFirst())?.owner;

/** Decides a call that is open and not expired at `now`; true for one caller only, across replicas. */
export async function decideAssistantCall(
  db: Db,
  id: number,
  state: "running" | "declined",
  now: number,
): Promise<boolean> {
  const waiting = db
    .updateTable("assistant_calls")
    .set({ state, decided_at: now })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .where("expires_at", ">", now);
  // The answer has resumed, and the model was informed that the call is declined.
  const idle = waiting.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom("assistant_turns")
          .select("assistant_turns.conversation_id")
          .whereRef("assistant_turns.conversation_id", "=", "assistant_calls.conversation_id")
          .where("running_until", ">", now),
      ),
    ),
  );
  const { numUpdatedRows } = await (state === "running" ? idle : waiting).executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

export async function endAssistantCall(
  db: Db,
  id: number,
  { state, result }: { state: "done" | "failed"; result: string },
): Promise<void> {
  await db
    .updateTable("assistant_calls")
    .set({ state, result })
    .where("id", "=", id)
    .where("state", "=", "running")
    .execute();
}

/** True for one caller only, across replicas. */
export async function spendConfirmation(db: Db, tokenId: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("spent_confirmations")
    .values({ token_id: tokenId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("token_id").doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows) === 1;
}

interface SubscribingSession {
  sessionHash: string;
  userId: number;
}

export async function listSubscribedUris(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
): Promise<string[]> {
  const rows = await db
    .selectFrom("resource_subscriptions")
    .select("uri")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId)
    .execute();
  return rows.map(({ uri }) => uri);
}

/** Or extends it. */
export async function subscribeUri(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  uri: string,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto("resource_subscriptions")
    .values({ session_hash: sessionHash, user_id: userId, uri, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(["session_hash", "user_id", "uri"]).doUpdateSet({ expires_at: expiresAt }),
    )
    .execute();
}

/** Without `uri`: all of the session. */
export async function unsubscribeUri(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  uri?: string,
): Promise<void> {
  const all = db
    .deleteFrom("resource_subscriptions")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId);
  await (uri === undefined ? all : all.where("uri", "=", uri)).execute();
}

export async function noteSessionEnded(
  db: Db,
  { sessionHash, userId }: SubscribingSession,
  expiresAt: number,
): Promise<void> {
  await db
    .insertInto("ended_assistant_sessions")
    .values({ session_hash: sessionHash, user_id: userId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(["session_hash", "user_id"]).doNothing())
    .execute();
}

export async function isSessionEnded(db: Db, { sessionHash, userId }: SubscribingSession): Promise<boolean> {
  const row = await db
    .selectFrom("ended_assistant_sessions")
    .select("id")
    .where("session_hash", "=", sessionHash)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a conversation carries from one answer to the next: JSON, null for nothing. */
interface ClaimedTurn {
  transcript: string | null;
}

/**
 * Locks a conversation for an answer, until a time (milliseconds); null: another answer is under way, on any
 * replica.
 */
export async function claimTurn(
  db: Db,
  conversationId: number,
  { now, until }: { now: number; until: number },
): Promise<ClaimedTurn | null> {
  const row = await db
    .insertInto("assistant_turns")
    .values({ conversation_id: conversationId, running_until: until, transcript: null })
    .onConflict((conflict) =>
      conflict
        .column("conversation_id")
        .doUpdateSet({ running_until: until })
        .where("assistant_turns.running_until", "<=", now),
    )
    .returning("transcript")
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the answer claimed until then; `transcript`: undefined leaves it unchanged. */
export async function endTurn(
  db: Db,
  conversationId: number,
  { until, transcript }: { until: number; transcript?: string | null | undefined },
): Promise<void> {
  await db
    .updateTable("assistant_turns")
    .set({ running_until: 0, ...(transcript !== undefined && { transcript }) })
    .where("conversation_id", "=", conversationId)
    .where("running_until", "=", until)
    .execute();
}

export async function keepTranscript(db: Db, conversationId: number, transcript: string): Promise<void> {
  await db
    .insertInto("assistant_turns")
    .values({ conversation_id: conversationId, running_until: 0, transcript })
    .onConflict((conflict) => conflict.column("conversation_id").doUpdateSet({ transcript }))
    .execute();
}
