import { callerWhere } from "../account/resolve-organization.ts";
import { assertRoom, findMeant, saveChatExchange } from "../chat/conversations.ts";
import { shownCall } from "../chat/shown-call.ts";
import type { Assistant, CallerContext } from "../context.ts";
import { invalidInput, PublicError } from "../errors.ts";
import { checkText } from "../input/checked-text.ts";
import { decideAssistantCall, listAssistantCalls } from "../store/queries/assistant-calls.ts";
import { claimTurn, endTurn, keepTranscript } from "../store/queries/assistant-turns.ts";
import type { Conversation } from "../store/queries/conversations.ts";
import { fact } from "../texts/fact.ts";
import { sayFact } from "../texts/say-fact.ts";
import { callVerb } from "../verb/call.ts";
import { type Before, verb } from "../verb/verb.ts";
import { type Answer, AssistantAnswer, AssistantProgress, AssistantQuestion } from "../wire/assistant.ts";
import { MAX_MESSAGE_BYTES } from "../wire/chat.ts";
import { sentenceOf } from "../wire/fact.ts";
import { answerKey } from "./cancellations.ts";
import { goOn } from "./go-on.ts";
import { keepCalls, transcriptOf } from "./keep-answer.ts";
import { ANSWERS_AT_ONCE, MAX_ANSWER_MS, WAIT_LINE_MS } from "./limits.ts";
import type { Model } from "./model/model.ts";
import { readSituation } from "./situation.ts";
import { type Writing, writeAnswer } from "./write-answer.ts";

/** Longer than an answer may take, so that none of another server is cut into. */
const LEASE_MS = MAX_ANSWER_MS + 60_000;

interface Asked extends Pick<Configured, "model" | "listTools"> {
  ctx: Before;
  /** Aborted when the answer is stopped. */
  signal: AbortSignal;
  message: string | null;
}

/**
 * Has the configured model answer, in a new conversation or in one that goes on, with the caller's own rights; tells what it says and
 * does as it comes, and keeps it. Without a message it goes on after what was decided. Throws 404 for a conversation that is
 * not the caller's, 409 where no model is configured or an answer is being written, 422 for a message that is too long or where there is nothing to
 * go on with, 429 for too many answers at once, 502 where the model did not answer.
 */
export const answerQuestion = verb({
  resource: "chat",
  feature: "full",
  action: "write",
  role: "viewer",
  // What the tools change has rows of its own.
  audit: null,
  input: AssistantQuestion,
  output: AssistantAnswer,
  progress: AssistantProgress,
  async find(ctx, { conversationId }): Promise<{ caller: Before["caller"]; found: Conversation | null }> {
    if (conversationId !== undefined) return findMeant(ctx, { id: String(conversationId) });
    return { caller: await callerWhere(ctx, []), found: null };
  },
  async prepare(ctx, { message, answerId = crypto.randomUUID() }, conversation) {
    const { caller } = ctx;
    const { model, listTools, answers } = assistantOf(ctx);
    const asked = message === undefined ? null : checkMessage(message);
    await assertRoom(ctx.store.db, caller, conversation);
    // At once, so that of many none slips through.
    if (answers.count(caller.userId) >= ANSWERS_AT_ONCE) throw tooManyAnswers();
    const gone = ctx.signal?.() ?? new AbortController().signal;
    const { signal, end } = answers.begin(answerKey(caller, answerId), gone);
    try {
      const own = { ctx, model, listTools, signal, message: asked };
      return await (conversation ? answerIn(own, conversation) : answer(own, null, null));
    } finally {
      end();
    }
  },
  run: async (_ctx, _input, answered: Answer) => answered,
});

type Configured = Assistant & { model: Model };

/** Throws 409 where there is none. */
function assistantOf({ assistant }: Pick<Before, "assistant">): Configured {
  if (!assistant?.model) throw new PublicError("conflict", fact("assistant.not_configured"));
  return { ...assistant, model: assistant.model };
}

function checkMessage(message: string): string {
  if (Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return checkText("message", message);
  throw invalidInput({ message: [fact("chat.long", { limit: MAX_MESSAGE_BYTES / 1024 })] });
}

const tooManyAnswers = () =>
  new PublicError("rate_limited", fact("assistant.too_many_answers", { limit: ANSWERS_AT_ONCE }), {
    retryAfterSeconds: 10,
  });

/** One answer at a time: two would mix what they tell the model. */
async function answerIn(asked: Asked, conversation: Conversation): Promise<Answer> {
  const { store, clock } = asked.ctx;
  const now = clock.now();
  const until = now + LEASE_MS;
  const turn = await claimTurn(store.db, conversation.id, { now, until });
  if (!turn) throw new PublicError("conflict", fact("assistant.answering"));
  let transcript: string | null | undefined;
  try {
    return await answer(asked, conversation, turn.transcript, (next) => {
      transcript = next;
    });
  } finally {
    await endTurn(store.db, conversation.id, { until, transcript });
  }
}

async function answer(
  asked: Asked,
  conversation: Conversation | null,
  kept: string | null,
  keep?: (transcript: string | null) => void,
): Promise<Answer> {
  const { ctx } = asked;
  const before = await goOn(ctx, conversation, kept, asked.message);
  if (before === null) throw invalidInput({ message: [fact("assistant.nothing_to_say")] });
  const writing = await startWriting(asked, before.entries);
  const beat = setInterval(() => writing.tell({ type: "wait" }), WAIT_LINE_MS);
  const written = await writeAnswer(writing).finally(() => clearInterval(beat));
  const { problem, text, note } = written;
  const isEmpty = text === "" && writing.box.made.length === 0;
  // What a provider refuses of an answer that goes on it would refuse again: that is kept, and the next message goes by what was said.
  const isOver = problem?.is === "rejected" && before.transcript !== null;
  if (problem && isEmpty && !isOver) throw new PublicError("upstream_failed", problem.fact);
  const language = before.language;
  const said = [text.trim(), note && `*${sayFact(language, note)}*`].filter(Boolean);
  const assistantMessage = said.join("\n\n") || sayFact(language, fact("assistant.would_do"));
  const saved = await callVerb(ctx as CallerContext, saveChatExchange, {
    ...(conversation && { conversationId: String(conversation.id) }),
    userMessage: before.said,
    assistantMessage,
  });
  const transcript = transcriptOf(written, before, saved.messages[0]?.id ?? 0);
  await keepCalls(ctx, saved, written, writing.box);
  // Only now: where no answer came, what waits goes on waiting.
  for (const id of before.passedOver)
    await decideAssistantCall(ctx.store.db, id, "declined", ctx.clock.now());
  if (keep) keep(transcript);
  else if (transcript !== null) await keepTranscript(ctx.store.db, saved.id, transcript);
  const { messages, calls: _, hasMore: __, ...shownConversation } = saved;
  return {
    conversation: shownConversation,
    messages,
    calls: await callsOf(ctx, saved.id, messages),
    endedBy: written.endedBy,
    problem: sentenceOf(problem?.fact ?? null),
    problemFact: problem?.fact ?? null,
  };
}

async function startWriting(
  { ctx, model, listTools, signal }: Asked,
  entries: Writing["entries"],
): Promise<Writing> {
  const { tell = () => {} } = ctx;
  const tools = await listTools(ctx);
  const box: Writing["box"] = {
    ctx: { ...ctx, signal: () => signal, tell: undefined },
    tools,
    shown: new Set(tools.filter(({ isCore }) => isCore).map(({ name }) => name)),
    made: [],
    used: 0,
    tell: ({ uuid, tool, title, state }) => tell({ type: "call", call: { uuid, tool, title, state } }),
  };
  const late = AbortSignal.timeout(MAX_ANSWER_MS);
  return { ctx, model, system: await readSituation(ctx), box, entries, tell, signal, late };
}

async function callsOf({ store, clock }: Before, id: number, messages: readonly { id: number }[]) {
  const range = [messages[0]?.id ?? 0, messages.at(-1)?.id ?? 0] as const;
  return (await listAssistantCalls(store.db, id, range)).map((call) => shownCall(call, clock.now()));
}
