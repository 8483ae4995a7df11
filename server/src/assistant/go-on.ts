import { stateAt } from "../chat/shown-call.ts";
import { type AssistantCall, listCallsNamed } from "../store/queries/assistant-calls.ts";
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
  /** How many of the entries are messages that are kept as such. */
  kept: number;
  /** The numbers of calls that the person did not decide but went on from: declined, once there is an answer. */
  passedOver: number[];
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
  const own = { language, transcript, kept: before.length, passedOver: [] };
  if (!transcript || !conversation) {
    if (message === null) return null;
    return { ...own, transcript: null, entries: [...before, asked(message)], said: message };
  }
  const calls = await waitingCalls(ctx, conversation.id, transcript);
  const now = ctx.clock.now();
  const open = calls.filter((call) => ["waiting", "running"].includes(stateAt(call, now)));
  if (message === null && open.length > 0) return null;
  // What nobody decided in time is told as that.
  const told = calls.map((call) => (open.includes(call) ? asDeclined(call) : call));
  const results = resultsOf(transcript, told, now);
  const entries = [...before, ...withResults(transcript.entries, results)];
  if (message === null) return { ...own, entries, said: decisionsOf(calls, language) };
  const passedOver = open.filter(({ state }) => state === "waiting").map(({ id }) => id);
  return { ...own, entries: [...entries, asked(message)], said: message, passedOver };
}

const asDeclined = (call: AssistantCall): AssistantCall =>
  call.state === "waiting" ? { ...call, state: "declined" } : call;

/** The calls that waited. */
const waitingCalls = (
  { store }: Before,
  conversationId: number,
  { waiting }: Transcript,
): Promise<AssistantCall[]> =>
  listCallsNamed(
    store.db,
    conversationId,
    waiting.map(({ uuid }) => uuid),
  );

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
