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

const VERSION = "2023-06-01";

/** The API requires one; the most that the smallest of its models writes. */
const MAX_TOKENS = 4_096;

interface Block {
  type?: string;
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
}

interface StreamEvent {
  type?: string;
  index?: number;
  content_block?: Block;
  delta?: { type?: string; text?: string; partial_json?: string; stop_reason?: string | null };
}

/** A model behind Anthropic's Messages API, streamed (https://docs.anthropic.com/en/api/messages-streaming). */
export function anthropicModel({ url, model, key, limits }: ModelSettings): Model {
  return {
    async complete(request, { signal, reportProgress }) {
      const reading = startReading(reportProgress);
      const headers = { "anthropic-version": VERSION, ...(key !== null && { "x-api-key": key }) };
      const body = { model, max_tokens: MAX_TOKENS, stream: true, ...bodyOf(request) };
      await postStream(
        { url, headers, body, signal, limits },
        {
          event({ data }) {
            const event = readJson(data) as StreamEvent;
            reading.take(event);
            return event.type === "message_stop";
          },
          whole: (json) => reading.takeWhole(json as { content?: Block[]; stop_reason?: string }),
        },
      );
      return reading.end();
    },
  };
}

function bodyOf({ system, entries, tools }: ModelRequest): object {
  const messages = entries.map((entry) => {
    if (entry.role === "user") return { role: "user", content: [textBlock(entry.text)] };
    if (entry.role === "results") {
      const content = entry.results.map(({ id, text, isError }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: text,
        ...(isError && { is_error: true }),
      }));
      return { role: "user", content };
    }
    const calls = entry.calls.map(({ id, name, arguments: given }) => ({
      ...{ type: "tool_use", id, name },
      input: inputOf(given),
    }));
    return {
      role: "assistant",
      content: [...(entry.text.trim() === "" ? [] : [textBlock(entry.text)]), ...calls],
    };
  });
  return {
    system,
    messages,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        ...{ name, description },
        input_schema: parameters,
      })),
    }),
  };
}

const textBlock = (text: string) => ({ type: "text", text });

/** What the model wrote; the API accepts only objects. */
function inputOf(given: string): object {
  try {
    const value: unknown = JSON.parse(given);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

const ENDS: Readonly<Record<string, ModelReply["ended"]>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
};

function startReading(reportProgress: ReplyOptions["reportProgress"]) {
  let text = "";
  let stop: string | null = null;
  const calls = new Map<number, ModelCall>();
  const say = (piece: unknown) => {
    if (typeof piece !== "string" || piece === "") return;
    text += piece;
    reportProgress(piece);
  };
  const open = (index: number, block: Block | null) => {
    const { type, text: begun, id, name, input } = block ?? {};
    if (type === "text") say(begun);
    if (type !== "tool_use") return;
    assertRoomForCall(calls.size);
    const given = input && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
    calls.set(index, { id: String(id ?? ""), name: String(name ?? ""), arguments: given });
  };
  return {
    take(event: StreamEvent) {
      const { type, index = -1, content_block: block, delta } = event ?? {};
      if (typeof type !== "string") throw new ModelError("garbled");
      if (type === "error") throw new ModelError("failed");
      if (type === "content_block_start") open(index, block ?? {});
      if (type === "content_block_delta") {
        const call = calls.get(index);
        if (delta?.type === "text_delta") say(delta.text);
        if (delta?.type === "input_json_delta" && call) call.arguments += String(delta.partial_json ?? "");
      }
      if (type === "message_delta") stop = delta?.stop_reason ?? stop;
    },
    takeWhole({ content, stop_reason: reason }: { content?: Block[]; stop_reason?: string }) {
      if (!Array.isArray(content)) throw new ModelError("garbled");
      content.forEach((block, at) => open(at, block));
      stop = reason ?? null;
    },
    end(): ModelReply {
      const made = distinctCalls(calls.values());
      if (stop === null) throw new ModelError(text === "" && made.length === 0 ? "garbled" : "cut");
      return { text, calls: made, ended: ENDS[stop] ?? (made.length > 0 ? "calls" : "done") };
    },
  };
}
