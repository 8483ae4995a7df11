import type { Db } from "../db.ts";
import type { CallState } from "../schema/chat.ts";
import type { ConversationOwner } from "./conversations.ts";

/** A call of a tool by the app's assistant. Times in milliseconds. */
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

/** Keeps what was called in an answer, in this order. */
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

/** Those shown with messages of a conversation from one to another, in the order of their making. */
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

/** Those of a conversation with these names. */
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

/** One of a person's in an organization; undefined: it is unknown, or another's. */
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

/** In which organization it would be; undefined: it is unknown. */
export const findOwnerOfCall = async (db: Db, uuid: string): Promise<number | undefined> =>
  (await named(db, uuid).select("organization_id as owner").executeTakeFirst())?.owner;

/** Takes a call that waits, and has not expired at `now`, further; true for one of all that try, on whichever replica. */
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
  // Its answer goes on, and the model has been told that it was declined.
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

/** Says what came of a call that was running. */
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
