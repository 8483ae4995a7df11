import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import { type AuthenticateToken, tokenAuthentication } from "../../platform/access/issuer-tokens.ts";
import { planOf } from "../../platform/access/plans.ts";
import type { Context } from "../../platform/context.ts";
import { tooManyAttempts } from "../../platform/errors.ts";
import { defineRawRoute } from "../../platform/http/define-route.ts";
import { overLimit } from "../../platform/http/errors.ts";
import type { RefusedBody, RouteLimit } from "../../platform/http/route.ts";
import { ownAddress } from "../../platform/http/security-headers.ts";
import { createStreams } from "../../platform/http/streams.ts";
import { clientNetwork } from "../../platform/http/visitor.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import { isOfStructure } from "../../platform/operations/validator.ts";
import { type CallsAtOnce, limitCalls } from "../answer-prompt.ts";
import type { CallsUnderWay } from "../assistant-tool.ts";
import { callKey, followCalls } from "../confirmations.ts";
import { toolsOf } from "../tools/list-tools.ts";
import type { ToolContext } from "../tools/tool.ts";
import { answerPost, ClientGone, goneSignal, onceClosed, type Posted, readsStreams } from "./exchange.ts";
import { isId, RPC, type RpcMessage, RpcRefusal, readMessages, rpcFailure } from "./messages.ts";
import {
  authenticateAssistant,
  challenge,
  hostGuard,
  isOpen,
  MCP_PATHS,
  registerMetadata,
} from "./metadata.ts";
import type { McpExchange } from "./server.ts";
import { assertGoesOn, endSession, sessionOf } from "./sessions.ts";
import { followAnswer, followSession } from "./updates.ts";

/** Of anonymous clients; most list the tools and leave. */
const ANONYMOUS_PER_MINUTE = 120;

interface ReceivedMessages {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller | null;
  messages: readonly RpcMessage[];
}

/** Each message, notifications too, counts as a request: a tool call as one of its endpoint. Throws 429. */
async function takeFromLimits(
  { app, ctx }: Mcp,
  { request, reply, caller, messages }: ReceivedMessages,
): Promise<void> {
  for (const message of messages) {
    if (!caller) {
      await app.limiter.take(reply, "public", `address:${clientNetwork(request.ip)}`, ANONYMOUS_PER_MINUTE);
      continue;
    }
    const limit = limitOf(ctx, message);
    const [group, perMinute] =
      typeof limit === "string"
        ? [limit, planOf(caller.plan).requestsPerMinute[limit]]
        : [limit.group, limit.perMinute];
    await app.limiter.take(reply, group, `user:${caller.userId}`, perMinute);
  }
}

function limitOf(ctx: Context, { method, params }: RpcMessage): RouteLimit {
  const name = params?.["name"];
  if (method !== "tools/call" || typeof name !== "string") return "read";
  return toolsOf(ctx).get(name)?.limit ?? "read";
}

const TIMINGS = { heartbeatMs: 15_000, recheckMs: 60_000, stallMs: 60_000 };
const RETRY_SECONDS = 5;
/** Tools may be silent for longer than other requests, which would count as stalled. */
const LONG_MS = 600_000;

const RpcError = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Optional(Type.Unsafe({ type: ["string", "integer", "null"] })),
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  },
  { title: "JsonRpcFailure" },
);
const FAILURES = [400, 401, 403, 404, 405, 406, 408, 413, 415, 422, 429, 431, 500, 501, 503];
const answers: Record<number, TSchema> = Object.fromEntries(FAILURES.map((status) => [status, RpcError]));
const part = (example: unknown) => ({ examples: [example] });
const named = { jsonrpc: part("2.0"), id: part(1) };
/**
 * One per server, since the framework adds to it. Documentation only: messages.ts validates, with JSON-RPC's
 * errors.
 */
const callSchema = () =>
  Type.Unsafe<unknown>({
    description: "A message, or a batch of up to 20.",
    properties: { ...named, method: part("tools/call"), params: part({ name: "get_dashboard_stats" }) },
  });
const answerSchema = () =>
  Type.Unsafe<unknown>({
    description: "What came of it, or `error`.",
    properties: {
      ...named,
      result: part({ content: [] }),
      error: part({ code: -32_601, message: "Method not found" }),
    },
  });
/** Without a body, which OpenAPI cannot express here. */
const takenSchema = () =>
  Type.Unsafe<unknown>({
    description: "A notification: nothing is said of it.",
    properties: named,
  });
const DESCRIPTION =
  "Model Context Protocol (revisions 2026-07-28 and 2025-11-25, stateless). Body: a JSON-RPC 2.0 message. `initialize`, `ping`, `server/discover` and `tools/list` need no credentials; everything else needs an API key or a token of the configured issuer. Clients that accept `application/json`, anything or nothing get plain JSON. docs/mcp.md says how to connect assistants.";

interface Mcp {
  app: FastifyInstance;
  ctx: Context;
  authenticateToken: AuthenticateToken | null;
  calls: CallsUnderWay;
  atOnce: CallsAtOnce;
  streams: ReturnType<typeof createStreams>;
  guardHost: ReturnType<typeof hostGuard>;
}

type Handle = (mcp: Mcp, own: Context, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** `/api/mcp`, `/mcp`, and their metadata. */
export function registerMcp(app: FastifyInstance, ctx: Context): void {
  const mcp: Mcp = {
    app,
    ctx,
    authenticateToken: tokenAuthentication(ctx),
    calls: followCalls(ctx),
    atOnce: limitCalls(),
    streams: createStreams(ctx, TIMINGS),
    guardHost: hostGuard(ctx.config),
  };
  app.addHook("preClose", async () => mcp.streams.endAll());
  registerMetadata(app, ctx);
  const common = { family: "public", resource: null, tag: "mcp", limit: null, answers, failure } as const;
  const [url, ...aliases] = MCP_PATHS;
  const define = (method: "GET" | "POST" | "DELETE", summary: string, handle: Handle, type: string) =>
    defineRawRoute(app, ctx, {
      ...common,
      ...{ method, url, summary, aliases },
      description: DESCRIPTION,
      content: { [type]: answerSchema() },
      ...(method === "POST" && {
        body: callSchema(),
        answers: { ...answers, 202: takenSchema() },
        admit: (own, request, reply) =>
          refusing(request, reply, () => admitAssistant(mcp, own, request, reply)),
      }),
      handler: (own, { raw }, reply) => refusing(raw, reply, () => handle(mcp, own, raw, reply)),
    });
  define("POST", "Call a tool, or another method of MCP", post, "application/json");
  define("GET", "Receive what a session has subscribed to (2025 revisions)", follow, "text/event-stream");
  define("DELETE", "End a session (2025 revisions)", end, "application/json");
}

/** HTTP errors in JSON-RPC's form, with fields where known and the request's id. */
const failure = (status: number, what: MessageDescriptor, { fields, body }: RefusedBody): object => {
  const { id } = (body ?? {}) as { id?: unknown };
  const wrong = Object.values(fields ?? {}).flat();
  return rpcFailure(
    wrong.length > 0 ? RPC.params : codeOf(status, what),
    [what, ...wrong].map(inEnglish).join(" "),
    isId(id) ? id : null,
  );
};

function codeOf(status: number, what: MessageDescriptor): number {
  if (status >= 500) return RPC.internal;
  return status === 400 && !isOfStructure(what) ? RPC.parse : RPC.request;
}

async function refusing(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientGone) return reply.hijack();
    if (!(error instanceof RpcRefusal)) throw error;
    const over = await overLimit(request);
    if (over) throw over;
    return reply.status(error.status).send(rpcFailure(error.code, error.message, error.id));
  }
}

/** Before the body is read: rejects forbidden origins and invalid tokens. */
async function admitAssistant(mcp: Mcp, own: Context, request: FastifyRequest, reply: FastifyReply) {
  await mcp.guardHost(request, reply);
  if (!reply.sent) request.caller = await authenticateAssistant(own, request, reply, mcp.authenticateToken);
}

async function post(mcp: Mcp, own: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const messages = readMessages(request.body);
  const { caller } = request;
  const closed = messages.find((message) => !isOpen(message));
  if (!caller && closed) throw challenge(own, request, reply, { id: closed.id ?? null });
  if (caller) await assertGoesOn(own, request, caller);
  await takeFromLimits(mcp, { request, reply, caller, messages });
  const exchange = exchangeOf(mcp, own, { request, caller });
  if (caller) takePlaces(mcp, caller, { messages, request, reply });
  if (caller) await cancelCalls(mcp, { caller, sessionId: exchange.sessionId, messages });
  const listen = (answer: Response, notify: (uris: string[]) => void) =>
    followAnswer({ ctx: exchange.ctx as ToolContext, reply, streams: mcp.streams }, answer, notify);
  return answerPost({ request, reply, messages, exchange, listen }, goneSignal(reply));
}

/** Reserves slots for tool calls until the answer is sent or the client gone. Throws 429. */
function takePlaces(
  { atOnce }: Mcp,
  { userId }: Caller,
  { messages, request, reply }: Pick<Posted, "messages" | "request" | "reply">,
): void {
  const calls = messages.filter(({ method }) => method === "tools/call");
  if (calls.length === 0) return;
  const free = atOnce.take(userId, calls.length);
  if (!free) throw tooManyAttempts(RETRY_SECONDS);
  onceClosed(reply, free);
  request.raw.socket?.setTimeout(LONG_MS);
}

function exchangeOf(
  { calls }: Mcp,
  own: Context,
  { request, caller }: { request: FastifyRequest; caller: Caller | null },
): McpExchange {
  const { resources } = request.query as { resources?: unknown };
  const sessionId = sessionOf(request);
  return {
    ctx: { ...own, ...(caller && { caller }) },
    address: ownAddress(own.config, request),
    about: typeof resources === "string" && resources !== "" ? resources.split(",") : null,
    sessionId,
    requestId: request.id,
    said: new Set(),
    isStream: readsStreams(request),
    begin: (id, signal) => calls.begin(callKey(caller ?? ANONYMOUS, sessionId, id), signal),
  };
}

const ANONYMOUS = { userId: 0, apiKeyId: null };

/** In the 2025 revisions a message cancels a call; later ones close the connection. */
async function cancelCalls(
  { calls }: Mcp,
  { caller, sessionId, messages }: { caller: Caller; sessionId: string; messages: readonly RpcMessage[] },
): Promise<void> {
  for (const { method, params } of messages) {
    const id = params?.["requestId"];
    if (method === "notifications/cancelled" && isId(id)) {
      await calls.cancel(callKey(caller, sessionId, id));
    }
  }
}

/** For requests without a message. */
async function sessionCaller(mcp: Mcp, own: Context, request: FastifyRequest, reply: FastifyReply) {
  await mcp.guardHost(request, reply);
  if (reply.sent) return null;
  const caller = await authenticateAssistant(own, request, reply, mcp.authenticateToken);
  if (!caller) throw challenge(own, request, reply);
  await takeFromLimits(mcp, { request, reply, caller, messages: [{ method: "session" }] });
  const sessionId = sessionOf(request);
  const isMeant = sessionId !== "" && (request.method === "DELETE" || readsStreams(request));
  if (!isMeant) {
    reply.header("allow", "POST");
    throw new RpcRefusal(405, RPC.refused, "Method not allowed.");
  }
  await assertGoesOn(own, request, caller);
  return { ctx: { ...own, caller }, sessionId };
}

async function follow(
  mcp: Mcp,
  own: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const session = await sessionCaller(mcp, own, request, reply);
  if (session) await followSession({ ctx: session.ctx, reply, streams: mcp.streams }, session.sessionId);
  return reply;
}

async function end(mcp: Mcp, own: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const session = await sessionCaller(mcp, own, request, reply);
  if (!session) return reply;
  const whose = { caller: session.ctx.caller, sessionId: session.sessionId };
  if (!(await endSession(own, whose))) throw new RpcRefusal(404, RPC.refused, "There is no such session.");
  return { jsonrpc: "2.0", result: {} };
}
