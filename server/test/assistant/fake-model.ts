import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a model is to say: its text, in these pieces, and the tools that it calls. */
export interface Line {
  text?: string[];
  calls?: { name: string; arguments: object | string }[];
  /** Waits for this before the last piece. */
  until?: Promise<unknown>;
  /** Breaks the connection in the middle. */
  cut?: true;
  /** Why it ended, where it was not done; as OpenAI and as Anthropic call it. */
  ended?: [openai: string, anthropic: string];
}

/** What is answered in place of that. */
export type Answer =
  | Line
  | { status: number; body?: string; headers?: Record<string, string> }
  | { raw: string; type?: string };

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any shape
  body: any;
}

export type Protocol = "openai" | "anthropic";

/**
 * A server that speaks both protocols as their providers publish them, streamed, and says what `next` gives for each
 * request. The requests are in `received`, in order; `left` is how many clients went away before the end.
 */
export async function startFakeModel(
  next: (request: ReceivedRequest, index: number) => Answer | Promise<Answer>,
) {
  const received: ReceivedRequest[] = [];
  const state = { left: 0 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableFinished) state.left += 1;
    });
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const one = {
        headers: request.headers,
        path: request.url ?? "",
        body: JSON.parse(Buffer.concat(parts).toString()),
      };
      received.push(one);
      void Promise.resolve(next(one, received.length - 1)).then((answer) => send(response, one, answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  return {
    received,
    state,
    url: { openai: `${address}/v1`, anthropic: `${address}/v1/messages` },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function send(response: ServerResponse, { path }: ReceivedRequest, answer: Answer): Promise<void> {
  if ("status" in answer) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body ?? "");
    return;
  }
  if ("raw" in answer) {
    response.writeHead(200, { "content-type": answer.type ?? "text/event-stream" }).end(answer.raw);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const events = path.endsWith("/messages") ? anthropicEvents(answer) : openAiEvents(answer);
  const held = events.splice(answer.cut ? Math.ceil(events.length / 2) : -2);
  response.write(events.join(""));
  if (answer.cut) {
    setImmediate(() => response.destroy());
    return;
  }
  await answer.until;
  response.end(held.join(""));
}

/** JSON in two pieces, as arguments are streamed. */
const halves = (given: object | string): string[] => {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
};

function openAiEvents({ text = [], calls = [], ended }: Line): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const called = calls.flatMap(({ name, arguments: given }, index) => [
    chunk({
      tool_calls: [
        { index, id: `call_${index}${name}`, type: "function", function: { name, arguments: "" } },
      ],
    }),
    ...halves(given).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  return [
    chunk({ role: "assistant", content: "" }),
    ...text.map((content) => chunk({ content })),
    ...called,
    chunk({}, ended?.[0] ?? (calls.length > 0 ? "tool_calls" : "stop")),
    "data: [DONE]\n\n",
  ];
}

function anthropicEvents({ text = [], calls = [], ended }: Line): string[] {
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const block = (index: number, start: object, deltas: object[]) => [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
  const said =
    text.length === 0
      ? []
      : block(
          0,
          { type: "text", text: "" },
          text.map((part) => ({ type: "text_delta", text: part })),
        );
  const called = calls.flatMap(({ name, arguments: given }, at) =>
    block(
      at + 1,
      { type: "tool_use", id: `toolu_${at}${name}`, name, input: {} },
      halves(given).map((part) => ({ type: "input_json_delta", partial_json: part })),
    ),
  );
  return [
    event("message_start", { message: { id: "msg_1", type: "message", role: "assistant", content: [] } }),
    event("ping", {}),
    ...said,
    ...called,
    event("message_delta", {
      delta: { stop_reason: ended?.[1] ?? (calls.length > 0 ? "tool_use" : "end_turn") },
      usage: { output_tokens: 9 },
    }),
    event("message_stop", {}),
  ];
}
