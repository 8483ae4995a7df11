import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { toWebRequest } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { takes } from "../../platform/http/answer.ts";
import type { RpcMessage } from "./messages.ts";
import { RPC } from "./messages.ts";
import { type McpExchange, mcpServer } from "./server.ts";
import { newSessionId } from "./sessions.ts";
import { withList } from "./tool-list.ts";

const EVENT_STREAM = "text/event-stream";
const SESSION_HEADER = "mcp-session-id";
/** What the SDK requires of clients, though plain ones accept JSON or anything. */
const BOTH = `application/json, ${EVENT_STREAM}`;

export class ClientGone extends Error {}

export interface Posted {
  request: FastifyRequest;
  reply: FastifyReply;
  messages: readonly RpcMessage[];
  exchange: McpExchange;
  /** Notifies a listening client of changes. */
  listen(answer: Response, notify: (uris: string[]) => void): Promise<void>;
}

/** Clients that do not say so get plain JSON. */
export const readsStreams = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? "").toLowerCase().includes(EVENT_STREAM);

/** Calls back when the answer has been sent or the client has gone; at once if that is so already. */
export function onceClosed({ raw }: FastifyReply, done: () => void): void {
  if (raw.destroyed) done();
  else raw.once("close", done);
}

export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  onceClosed(reply, () => {
    if (!reply.raw.writableEnded) gone.abort(new ClientGone());
  });
  return gone.signal;
}

export async function answerPost(posted: Posted, signal: AbortSignal): Promise<unknown> {
  const { raw, body, headers } = posted.request;
  const message = { method: "POST", url: raw.url ?? "/", headers: { ...headers, accept: BOTH } };
  const web = await toWebRequest({ ...message, [Symbol.asyncIterator]: nothing }, body, { signal });
  return (await isLegacyRequest(web, body)) ? answerLegacy(posted, web) : answerModern(posted, web);
}

async function* nothing(): AsyncGenerator<never> {}

/** 2026-07-28: each request names its own revision. */
async function answerModern({ request, reply, exchange, messages, listen }: Posted, web: Request) {
  const bus: ServerEventBus = new InMemoryServerEventBus();
  const handler = createMcpHandler(() => mcpServer(exchange), { legacy: "reject", bus });
  const answer = await handler.fetch(web, { parsedBody: request.body });
  if (messages[0]?.method === "subscriptions/listen" && isStream(answer)) {
    await listen(answer, (uris) => uris.forEach((uri) => handler.notify.resourceUpdated(uri)));
    return reply;
  }
  return sendAnswer(request, reply, { answer, exchange });
}

/** 2025-11-25 and before: headers carry what `initialize` agreed on. */
async function answerLegacy({ request, reply, exchange, messages }: Posted, web: Request) {
  const isCall = messages.some(({ method }) => method === "tools/call");
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !(exchange.isStream && isCall),
  });
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(inOwnWords(message, exchange.said), options);
  const server = mcpServer(exchange);
  await server.connect(transport);
  const close = () => void server.close().catch(() => {});
  const { promise: gone, reject } = Promise.withResolvers<never>();
  web.signal.addEventListener("abort", () => {
    close();
    reject(web.signal.reason as Error);
  });
  reply.raw.once("close", close);
  const answer = await Promise.race([transport.handleRequest(web, { parsedBody: request.body }), gone]);
  if (messages.some(({ method }) => method === "initialize"))
    reply.header(SESSION_HEADER, newSessionId(exchange.ctx.secrets));
  return sendAnswer(request, reply, { answer, exchange });
}

const isStream = (answer: Response): boolean =>
  (answer.headers.get("content-type") ?? "").startsWith(EVENT_STREAM);

async function sendAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { answer, exchange }: { answer: Response; exchange: McpExchange },
): Promise<unknown> {
  reply.status(answer.status);
  // Fastify frames the answer itself.
  for (const [name, value] of answer.headers) if (name !== "connection") reply.header(name, value);
  if (isStream(answer)) return reply.send(Readable.from(withLists(answer.body as ReadableStream, exchange)));
  const text = await answer.text();
  const { listed } = exchange;
  if (listed && answer.ok) {
    const { body, encoding } = withList(text, listed, takes(headers["accept-encoding"] ?? "", "gzip"));
    reply.header("vary", "accept-encoding");
    if (encoding) reply.header("content-encoding", encoding);
    return reply.serializer((own: unknown) => own as string).send(body);
  }
  const said = worded(text, exchange.said);
  return said === "" ? reply.send() : reply.serializer((own: unknown) => String(own)).send(said);
}

/** Replaces the list of tools in a streamed answer. */
async function* withLists(
  stream: ReadableStream<Uint8Array>,
  exchange: McpExchange,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of stream) {
    const { listed } = exchange;
    const text = listed ? Buffer.from(bytes).toString() : "";
    yield listed && text.includes(listed.written) ? withList(text, listed, false).body : bytes;
  }
}

/** An answer of the library's; only errors are reworded. */
function worded(text: string, said: Set<string>): string {
  if (!/"error"\s*:/.test(text.slice(0, 200)) && !text.startsWith("[")) return text;
  return JSON.stringify(inOwnWords(JSON.parse(text) as unknown, said));
}

const MAX_FIELDS = 5;
const FIELD = /^[\w$.[\]-]{1,100}$/;
/** The library's error message is JSON that contains the path of the field. */
const PATHS = /"path":\s*\[([^\]]{0,300})\]/g;

interface Answer {
  error?: { code?: unknown; message?: unknown };
}

/**
 * Rewords errors about invalid parameters: the library's have the terms of its own schemas, any length, and
 * the rejected input. `said`: errors that are ours already.
 */
function inOwnWords<T>(message: T, said: Set<string>): T {
  if (Array.isArray(message)) return message.map((one) => inOwnWords(one as unknown, said)) as T;
  const { error } = (message ?? {}) as Answer;
  if (!error || typeof error.message !== "string" || said.has(error.message)) return message;
  if (error.code !== RPC.params && error.code !== RPC.internal) return message;
  const fields = fieldsIn(error.message);
  // The library reports a request that it cannot read as an internal error.
  const isInside = error.code === RPC.internal && fields.length === 0;
  const what = fields.length > 0 ? `: ${fields.join(", ")} is missing, or not as MCP has it` : "";
  const own = isInside
    ? { code: RPC.internal, message: "Server Error" }
    : { code: RPC.params, message: `Invalid params${what}.` };
  // An answer may pass here twice.
  said.add(own.message);
  return { ...message, error: own };
}

function fieldsIn(text: string): string[] {
  const fields = [...text.matchAll(PATHS)].flatMap(([, inside = ""]) => {
    const field = inside.replace(/["\s]/g, "").replaceAll(",", ".");
    return FIELD.test(field) ? [field] : [];
  });
  return [...new Set(fields)].slice(0, MAX_FIELDS);
}
