import {
  assertRoomForCall,
  distinctCalls,
  type Model,
  type ModelCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  type ReplyOptions,
} from "./model.ts";
import { postStream, readJson } from "./post-stream.ts";

interface CallPart {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null };
}

/** A chunk has `delta`, a whole answer `message`. */
interface Said {
  content?: string | null;
  refusal?: string | null;
  tool_calls?: CallPart[] | null;
}

interface Completion {
  error?: unknown;
  choices?: { delta?: Said; message?: Said; finish_reason?: string | null }[];
}

/** Streams (https://platform.openai.com/docs/api-reference/chat-streaming); whole answers work, too. */
export function openAiModel({ url, model, key, limits }: ModelSettings): Model {
  return {
    async complete(request, { signal, reportProgress }) {
      const reading = startReading(reportProgress);
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
      const body = { model, stream: true, ...bodyOf(request) };
      await postStream(
        { url, headers, body, signal, limits },
        {
          event({ data }) {
            if (data === "[DONE]") return true;
            reading.take(readJson(data) as Completion);
            return false;
          },
          whole: (json) => reading.take(json as Completion),
        },
      );
      return reading.end();
    },
  };
}

function bodyOf({ system, entries, tools }: ModelRequest): object {
  const messages = entries.flatMap((entry): object[] => {
    if (entry.role === "user") return [{ role: "user", content: entry.text }];
    if (entry.role === "results") {
      return entry.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
    }
    const calls = entry.calls.map(({ id, name, arguments: given }) => ({
      id,
      type: "function",
      function: { name, arguments: given },
    }));
    const content = entry.text.trim() === "" ? null : entry.text;
    return [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) }];
  });
  return {
    messages: [{ role: "system", content: system }, ...messages],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      })),
    }),
  };
}

const ENDS: Readonly<Record<string, ModelReply["ended"]>> = {
  length: "length",
  content_filter: "refused",
};

function startReading(reportProgress: ReplyOptions["reportProgress"]) {
  let text = "";
  let finish: string | null = null;
  const calls: (ModelCall & { index: number | undefined })[] = [];
  const say = (piece: unknown) => {
    if (typeof piece !== "string" || piece === "") return;
    text += piece;
    reportProgress(piece);
  };
  const takeCall = (part: CallPart | null) => {
    const { index, id, function: called } = part ?? {};
    // Some servers number all calls 0, so the id decides.
    const known = calls.findLast((call) => call.index === index && (!id || call.id === id || call.id === ""));
    const call = known ?? { index, id: id ?? "", name: "", arguments: "" };
    if (!known) {
      assertRoomForCall(calls.length);
      calls.push(call);
    }
    call.name ||= String(called?.name ?? "");
    call.arguments += String(called?.arguments ?? "");
  };
  return {
    take(part: Completion) {
      if (part === null || typeof part !== "object") throw new ModelError("garbled");
      if (part.error) throw new ModelError("failed");
      // Chunks with usage statistics have no choices.
      const choice = part.choices?.[0];
      const said = choice?.delta ?? choice?.message;
      say(said?.content);
      say(said?.refusal);
      if (Array.isArray(said?.tool_calls)) said.tool_calls.forEach(takeCall);
      finish = choice?.finish_reason ?? finish;
    },
    end(): ModelReply {
      if (finish === null) throw new ModelError(text === "" && calls.length === 0 ? "garbled" : "cut");
      return {
        text,
        calls: distinctCalls(calls),
        ended: ENDS[finish] ?? (calls.length > 0 ? "calls" : "done"),
      };
    },
  };
}
