import { stateAt } from "../chat/shown-call.ts";
import { type AssistantCall, decideAssistantCall, listCallsNamed } from "../store/queries/assistant-calls.ts";
import { type Conversation, listChatMessages } from "../store/queries/conversations.ts";
import { fact } from "../texts/fact.ts";
import type { Language } from "../texts/languages.ts";
import { sayFact } from "../texts/say-fact.ts";
import type { Before } from "../verb/verb.ts";
import { MAX_HISTORY_CHARACTERS, MAX_HISTORY_MESSAGES } from "./limits.ts";
import type { ModelEntry } from "./model/model.ts";
import { readerOfCaller } from "./situation.ts";
import { readTranscript, resultsOf, type Transcript, withResults } from "./transcript.ts";

/** What an answer goes on from. */
export interface Begun {
  language: Language;
  transcript: Transcript | null;
  entries: ModelEntry[];
  /** What the person said, as it is kept. */
  said: string;
}

/**
 * What a model is told before it answers: what was said, what it called and what became of that, and the message. Null: there is
 * no message, and nothing was decided. A message instead of a decision declines what waits.
 */
export async function goOn(
  ctx: Before,
  conversation: Conversation | null,
  kept: string | null,
  message: string | null,
): Promise<Begun | null> {
  const { language } = await readerOfCaller(ctx);
  const transcript = readTranscript(kept);
  const before = conversation ? await historyOf(ctx, conversation.id, transcript) : [];
  const asked = (text: string): ModelEntry => ({ role: "user", text });
  if (!transcript || !conversation) {
    if (message === null) return null;
    return { language, transcript: null, entries: [...before, asked(message)], said: message };
  }
  const calls = await decidedCalls(ctx, conversation.id, transcript, message !== null);
  if (calls === null) return null;
  const results = resultsOf(transcript, calls, ctx.clock.now());
  const entries = [...before, ...withResults(transcript.entries, results)];
  if (message !== null) return { language, transcript, entries: [...entries, asked(message)], said: message };
  return { language, transcript, entries, said: decisionsOf(calls, language) };
}

/** The calls that waited; null: one does still. Where the person went on without deciding, none does. */
async function decidedCalls(
  { store, clock }: Before,
  conversationId: number,
  { waiting }: Transcript,
  isOver: boolean,
): Promise<AssistantCall[] | null> {
  const read = () =>
    listCallsNamed(
      store.db,
      conversationId,
      waiting.map(({ uuid }) => uuid),
    );
  const calls = await read();
  const now = clock.now();
  const open = calls.filter((call) => ["waiting", "running"].includes(stateAt(call, now)));
  if (!isOver) return open.length > 0 ? null : calls;
  for (const { id } of open) await decideAssistantCall(store.db, id, "declined", now);
  return open.length > 0 ? read() : calls;
}

/** The person's clicks, in words of ours alone: what a thing is called may have been written by others. */
const decisionsOf = (calls: readonly AssistantCall[], language: Language): string =>
  calls
    .map(({ state, title }) => {
      const isAgreed = state === "done" || state === "failed" || state === "running";
      return sayFact(language, fact(isAgreed ? "assistant.agreed" : "assistant.not_agreed", { what: title }));
    })
    .join("\n");

/** What was said before, from the end and as much as is told. */
async function historyOf(
  { store }: Before,
  conversationId: number,
  transcript: Transcript | null,
): Promise<ModelEntry[]> {
  const limit = { limit: MAX_HISTORY_MESSAGES, before: transcript?.sinceMessageId };
  const messages = (await listChatMessages(store.db, conversationId, limit)).toReversed();
  let used = 0;
  const entries: ModelEntry[] = [];
  for (const { role, content } of messages) {
    used += content.length;
    if (used > MAX_HISTORY_CHARACTERS) break;
    entries.unshift(role === "user" ? { role, text: content } : { role, text: content, calls: [] });
  }
  // A conversation begins with its person.
  return entries[0]?.role === "assistant" ? entries.slice(1) : entries;
}
