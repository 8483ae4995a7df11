import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import { callerWhere, findAnywhere } from "../platform/access/check-access.ts";
import { findOwner } from "../platform/database/sql.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import {
  Deleted,
  IdParams,
  parseId,
  shown,
  timestamp,
  timestampOrNull,
} from "../platform/operations/field.ts";
import { type Before, type Running, verb } from "../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../platform/operations/paging.ts";
import { checkText } from "../platform/operations/validator.ts";
import { type AssistantCall as Call, listAssistantCalls } from "./queries/assistant-calls.ts";
import {
  type Conversation,
  countChatMessages,
  countConversations,
  deleteConversation,
  findConversation,
  insertChatMessages,
  insertConversation,
  listChatMessages,
  listConversations,
  renameConversation,
} from "./queries/conversations.ts";
import {
  type CALL_STATES,
  ChatConversation,
  ChatConversationDetail,
  ChatConversationQuery,
  ChatConversationsQuery,
  ChatExchange,
  ChatMessage,
  ChatRename,
  MAX_MESSAGE_BYTES,
  type ShownCall,
  type ShownConversation,
} from "./schemas/assistant.ts";

/** No call takes longer: one still running then was interrupted by the end of its server. */
const MAX_CALL_MS = 10 * 60_000;
const MAX_PROBLEM_LENGTH = 2_000;

export function stateAt(
  { state, expiresAt, decidedAt }: Pick<Call, "state" | "expiresAt" | "decidedAt">,
  now: number,
): (typeof CALL_STATES)[number] {
  if (state === "waiting" && (expiresAt ?? 0) <= now) return "expired";
  if (state === "running" && (decidedAt ?? 0) + MAX_CALL_MS <= now) return "unknown";
  return state;
}

/** Without the marks for models. */
const problemIn = (result: string): string =>
  result
    .replaceAll(/<\/?untrusted>/g, "")
    .slice(0, MAX_PROBLEM_LENGTH)
    .toWellFormed();

export function shownCall(call: Call, now: number): ShownCall {
  const { uuid, messageId, tool, title, description, subject, result } = call;
  const state = stateAt(call, now);
  return {
    ...{ uuid, messageId, tool, title, description, state },
    arguments: call.arguments,
    subject: subject === null ? [] : (JSON.parse(subject) as { name: string; value: string }[]),
    problem: state === "failed" && result !== null ? problemIn(result) : null,
    createdAt: timestamp(call.createdAt),
    decidedAt: timestampOrNull(call.decidedAt),
    expiresAt: timestampOrNull(call.expiresAt),
  };
}

const MAX_CONVERSATIONS = 1_000;
const MAX_MESSAGES = 2_000;
const TITLE_LENGTH = 80;
const USUAL_MESSAGES = 100;

const ofChat = { resource: "chat", feature: "full" } as const;
/** Conversations are private: viewers may write, and only their owner reads them; the audit log does not show them. */
const writing = { ...ofChat, action: "write", role: "viewer", audit: null } as const;

/** Throws 404 for everybody but the owner, whatever their role. */
export async function findMeant(ctx: Before, { id }: { id: string }) {
  const { db } = ctx.store;
  const { userId } = ctx.caller;
  const ref = parseId(id);
  const find = (organizationId: number) => findConversation(db, { userId, organizationId }, ref);
  return findAnywhere(ctx, find, () => findOwner(db, "chat_conversations", ref));
}

export const listChatConversations = verb({
  ...ofChat,
  action: "read",
  input: ChatConversationsQuery,
  output: Type.Array(ChatConversation),
  paged: true,
  async run({ db, caller }, query) {
    const paging = pagingOf(query);
    const items = (await listConversations(db, caller, { ...paging, sort: query.sort })).map((one) =>
      shown(ChatConversation, one),
    );
    return { items, page: paging.isPaged ? pageIn(paging, await countConversations(db, caller)) : undefined };
  },
});

/** With the newest messages, or those before one of them. Throws 404. */
export const getChatConversation = verb({
  ...ofChat,
  action: "read",
  input: ChatConversationQuery,
  output: ChatConversationDetail,
  find: findMeant,
  run: async ({ db, clock }, { limit, before }, conversation) =>
    detailOf(db, conversation, { limit, before, now: clock.now() }),
});

/**
 * Saves a message and its answer, in a new conversation or the named one; returns it with both. Throws 404
 * for another person's, 422 for a message above 64 KiB, 403 at the limit.
 */
export const saveChatExchange = verb({
  ...writing,
  input: ChatExchange,
  output: ChatConversationDetail,
  async find(ctx, { conversationId }) {
    if (conversationId !== undefined) return findMeant(ctx, { id: String(conversationId) });
    return { caller: await callerWhere(ctx, []), found: null };
  },
  async run({ db, caller, clock }, exchange, known) {
    const said = saidIn(exchange);
    const id = known ? await goOn(db, caller, known) : await begin(db, caller, exchange, clock.now());
    await insertChatMessages(db, id, said, clock.now());
    return detailOf(db, await reread(db, caller, id), { limit: said.length, now: clock.now() });
  },
});

/** Throws 404. */
export const renameChatConversation = verb({
  ...writing,
  input: ChatRename,
  output: ChatConversation,
  find: findMeant,
  async run({ db, caller }, { title }, { id }) {
    await renameConversation(db, id, checkText("title", title));
    return shown(ChatConversation, await reread(db, caller, id));
  },
});

/** Throws 404. */
export const deleteChatConversation = verb({
  ...writing,
  input: IdParams,
  output: Deleted,
  find: findMeant,
  async run({ db }, _, { id }) {
    if (!(await deleteConversation(db, id))) throw notFound();
    return { id };
  },
});

type Exchange = Pick<Static<typeof ChatExchange>, "userMessage" | "assistantMessage">;

/** Throws 422 for each that is empty or too long. */
function saidIn({ userMessage, assistantMessage }: Exchange) {
  const texts = { userMessage, assistantMessage };
  const long = Object.entries(texts).filter(([, text]) => Buffer.byteLength(text) > MAX_MESSAGE_BYTES);
  if (long.length > 0) {
    const limit = MAX_MESSAGE_BYTES / 1024;
    throw invalidInput(Object.fromEntries(long.map(([field]) => [field, [msg("chat.long", { limit })]])));
  }
  return [
    { role: "user", content: checkText("userMessage", userMessage) },
    { role: "assistant", content: checkText("assistantMessage", assistantMessage) },
  ] as const;
}

/** Locked, so that messages of two exchanges do not mix. Throws 403 at the limit. */
async function goOn(
  db: Running["db"],
  caller: Running["caller"],
  conversation: Conversation,
): Promise<number> {
  const { id } = conversation;
  if (!(await findConversation(db, caller, { id }, { lock: true }))) throw notFound();
  await assertRoom(db, caller, conversation);
  return id;
}

/** Throws 403 where the conversation, or (null) the list of conversations, is full. */
export async function assertRoom(
  db: Running["db"],
  caller: Running["caller"],
  conversation: Conversation | null,
): Promise<void> {
  if (conversation === null) {
    if ((await countConversations(db, caller)) < MAX_CONVERSATIONS) return;
    throw new PublicError("quota_reached", msg("chat.many_conversations", { limit: MAX_CONVERSATIONS }));
  }
  if ((await countChatMessages(db, conversation.id)) < MAX_MESSAGES) return;
  throw new PublicError("quota_reached", msg("chat.many_messages", { limit: MAX_MESSAGES }));
}

async function begin(
  db: Running["db"],
  caller: Running["caller"],
  { userMessage }: Exchange,
  now: number,
): Promise<number> {
  await assertRoom(db, caller, null);
  const { userId, organizationId } = caller;
  const named = { uuid: randomUUIDv7(), title: titleOf(userMessage) };
  return insertConversation(db, { userId, organizationId, ...named }, now);
}

export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/gu, " ");
  const characters = [...line.slice(0, 2 * (TITLE_LENGTH + 1))];
  return characters.length <= TITLE_LENGTH ? line : `${characters.slice(0, TITLE_LENGTH - 1).join("")}…`;
}

async function reread(db: Running["db"], caller: Running["caller"], id: number): Promise<Conversation> {
  const conversation = await findConversation(db, caller, { id });
  if (!conversation) throw notFound();
  return conversation;
}

async function detailOf(
  db: Running["db"],
  conversation: Conversation,
  {
    limit = USUAL_MESSAGES,
    before,
    now,
  }: { limit?: number | undefined; before?: number | undefined; now: number },
): Promise<ShownConversation> {
  const messages = await listChatMessages(db, conversation.id, { limit: limit + 1, before });
  const hasMore = messages.length > limit;
  const page = messages.slice(hasMore ? 1 : 0);
  const range = [page[0]?.id ?? 0, page.at(-1)?.id ?? 0] as const;
  const calls = await listAssistantCalls(db, conversation.id, range);
  return {
    ...shown(ChatConversation, conversation),
    messages: page.map((one) => shown(ChatMessage, one)),
    calls: calls.map((call) => shownCall(call, now)),
    hasMore,
  };
}
