import { insertAssistantCalls } from "../store/queries/assistant-calls.ts";
import type { Before } from "../verb/verb.ts";
import type { MadeCall } from "./call-tools.ts";
import type { Begun } from "./go-on.ts";
import { writeTranscript } from "./transcript.ts";
import type { Writing, Written } from "./write-answer.ts";

/** What is told again when the answer goes on; null: nothing waits for a click. */
export function transcriptOf(
  { entries, waiting }: Written,
  before: Begun,
  firstMessageId: number,
): string | null {
  if (waiting.length === 0) return null;
  const sinceMessageId = before.transcript?.sinceMessageId ?? firstMessageId;
  return writeTranscript({ sinceMessageId, entries: entries.slice(before.kept), waiting });
}

/** An answer that ended otherwise goes on from no click: what would have waited for one is not done. */
export async function keepCalls(
  ctx: Before,
  saved: { id: number; messages: { id: number }[] },
  { waiting }: Written,
  { made }: Writing["box"],
) {
  const messageId = saved.messages.at(-1)?.id ?? 0;
  const isOver = ({ uuid, state }: MadeCall) =>
    state === "waiting" && !waiting.some((call) => call.uuid === uuid);
  const calls = made.map((call) => ({
    ...call,
    conversationId: saved.id,
    messageId,
    state: isOver(call) ? ("declined" as const) : call.state,
  }));
  await insertAssistantCalls(ctx.store.db, calls);
}
