import { stateAt } from "./conversations.ts";
import { MAX_REPLAYED } from "./limits.ts";
import type { CallResult, ModelEntry } from "./model/model.ts";
import type { AssistantCall } from "./queries/assistant-calls.ts";

export interface Transcript {
  /** The first message that it covers; earlier ones are sent as stored. */
  sinceMessageId: number;
  entries: ModelEntry[];
  /** Calls without result: the model's id for each, and ours. */
  waiting: { id: string; uuid: string }[];
}

/** The beginning of a result says what came of the call. */
const MAX_RESULT_CHARACTERS = 300;
const LEFT_OUT = "(The rest is left out: it was read a while ago. Read it again where that matters.)";

/** Drops the oldest results where all together exceed the model's limit. */
export function writeTranscript({ entries, ...rest }: Transcript): string {
  let characters = 0;
  const stored = entries.toReversed().map((entry): ModelEntry => {
    if (entry.role !== "results") return entry;
    characters += entry.results.reduce((sum, { text }) => sum + text.length, 0);
    if (characters <= MAX_REPLAYED) return entry;
    return { ...entry, results: entry.results.map(shortened) };
  });
  return JSON.stringify({ ...rest, entries: stored.toReversed() } satisfies Transcript);
}

const shortened = (result: CallResult): CallResult =>
  result.text.length <= MAX_RESULT_CHARACTERS
    ? result
    : { ...result, text: `${result.text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed()}\n${LEFT_OUT}` };

export const readTranscript = (stored: string | null): Transcript | null =>
  stored === null ? null : (JSON.parse(stored) as Transcript);

const NOTHING_DONE = "Nothing was done.";

export function resultsOf(
  { waiting }: Transcript,
  calls: readonly AssistantCall[],
  now: number,
): CallResult[] {
  return waiting.map(({ id, uuid }) => {
    const call = calls.find((one) => one.uuid === uuid);
    return { id, ...outcomeOf(call, now) };
  });
}

function outcomeOf(call: AssistantCall | undefined, now: number): Omit<CallResult, "id"> {
  const state = call && stateAt(call, now);
  const result = call?.result ?? "";
  if (state === "done") return { text: `The person agreed, and it was done.\n${result}`, isError: false };
  if (state === "failed") return { text: `The person agreed, but it failed.\n${result}`, isError: true };
  if (state === "declined") {
    return {
      text: `The person declined. ${NOTHING_DONE} Do not try it again unless they request it.`,
      isError: true,
    };
  }
  if (state === "expired") return { text: `It was not decided in time. ${NOTHING_DONE}`, isError: true };
  if (state === "waiting") return { text: `It was not decided. ${NOTHING_DONE}`, isError: true };
  return { text: "It is not known whether it was done. Look before trying again.", isError: true };
}

/** Results of one step belong into one entry. */
export function withResults(entries: readonly ModelEntry[], results: readonly CallResult[]): ModelEntry[] {
  const last = entries.at(-1);
  if (last?.role !== "results") return [...entries, { role: "results", results }];
  return [...entries.slice(0, -1), { role: "results", results: [...last.results, ...results] }];
}
