import { isCallerAlive } from "../platform/access/ended-access.ts";
import type { CallerContext } from "../platform/context.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { callTools, offeredTools, type StepResults, shownCalls, type ToolBox } from "./call-tools.ts";
import { MAX_ANSWER_BYTES, MAX_STEPS } from "./limits.ts";
import { type Model, type ModelEntry, ModelError, type ModelReply } from "./model/model.ts";
import type { Answer, Progress } from "./schemas/assistant.ts";
import { withResults } from "./transcript.ts";

export interface Writing {
  ctx: CallerContext;
  model: Model;
  system: string;
  box: ToolBox;
  entries: ModelEntry[];
  reportProgress(progress: Progress): void;
  /** Aborted when the answer is stopped; `late`: on timeout. */
  signal: AbortSignal;
  late: AbortSignal;
}

export interface Written {
  text: string;
  bytes: number;
  entries: ModelEntry[];
  waiting: StepResults["waiting"];
  endedBy: Answer["endedBy"];
  /** Appended in the person's language. */
  note: MessageDescriptor | null;
  problem: ModelError | null;
}

/**
 * Requests replies and executes calls until the answer is complete, a call needs a decision, or a limit, an
 * error or the person ends it. Throws what the store throws.
 */
export async function writeAnswer(own: Writing): Promise<Written> {
  const written: Written = {
    text: "",
    bytes: 0,
    entries: own.entries,
    waiting: [],
    endedBy: "done",
    note: null,
    problem: null,
  };
  const both = AbortSignal.any([own.signal, own.late]);
  try {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      both.throwIfAborted();
      if (!(await isCallerAlive(own.ctx))) return end(written, "stopped", msg("assistant.ended"));
      const reply = await completeStep(own, written, both);
      const entry = { role: "assistant" as const, text: reply.text, calls: shownCalls(reply.calls) };
      written.entries = [...written.entries, entry];
      if (reply.calls.length === 0) return ended(written, reply);
      const { results, waiting } = await callTools(own.box, reply.calls);
      if (results.length > 0) written.entries = withResults(written.entries, results);
      if (waiting.length > 0) return { ...written, waiting, endedBy: "waiting" };
    }
    return end(written, "limit", msg("assistant.at_limit", { limit: MAX_STEPS }));
  } catch (error) {
    if (own.signal.aborted) return end(written, "stopped", msg("assistant.stopped"));
    if (own.late.aborted) return end(written, "limit", msg("assistant.cut_short"));
    if (!(error instanceof ModelError)) throw error;
    const { is, status } = error;
    if (is === "long") return cutShort(written);
    own.ctx.log.warn({ failure: is, status, err: error.cause }, "The assistant's model did not answer");
    return { ...end(written, "failed", error.descriptor), problem: error };
  }
}

const end = (written: Written, endedBy: Written["endedBy"], note: MessageDescriptor): Written => ({
  ...written,
  endedBy,
  note,
});

const cutShort = (written: Written): Written => end(written, "limit", msg("assistant.cut_short"));

function ended(written: Written, { ended: why }: ModelReply): Written {
  if (why === "length") return cutShort(written);
  if (why === "refused" && written.text === "") return end(written, "done", msg("assistant.refused"));
  return written.text.trim() === "" ? end(written, "done", msg("assistant.nothing_said")) : written;
}

/** Saves text as it arrives, so that what the person saw survives a crash. */
async function completeStep(
  { model, system, box, reportProgress }: Writing,
  written: Written,
  signal: AbortSignal,
): Promise<ModelReply> {
  const tools = offeredTools(box);
  const before = written.text;
  return model.complete(
    { system, entries: written.entries, tools },
    {
      signal,
      reportProgress(piece) {
        const isNew = before !== "" && written.text === before;
        // PostgreSQL rejects NUL in text.
        const plain = piece.replaceAll("\0", "");
        const whole = isNew ? `\n\n${plain}` : plain;
        const text = beginning(whole, MAX_ANSWER_BYTES - written.bytes);
        written.text += text;
        written.bytes += Buffer.byteLength(text);
        if (text !== "") reportProgress({ type: "text", text });
        if (text.length < whole.length) throw new ModelError("long");
      },
    },
  );
}

/** In whole characters. */
function beginning(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const fits = Buffer.from(text).subarray(0, maxBytes).toString();
  return fits.replace(/\uFFFD$/, "");
}
