import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { Needs } from "../access/caller.ts";
import { planOf } from "../access/plans.ts";
import type { CallerContext, Context } from "../context.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { inEnglish } from "../i18n/english.ts";
import { msg } from "../i18n/message.ts";
import { authorize, needsOf, withNeeds } from "../operations/call.ts";
import { MessageSchema, type Word } from "../operations/field.ts";
import type { Calling } from "../operations/operation.ts";
import { openSuccess, projectPage } from "../operations/paging.ts";
import { closedSchema, snakeName } from "../operations/snake-case.ts";
import { isLong, listWriter, writerOf } from "./answer.ts";
import { authenticate, hasCredentials, withOrganization } from "./authenticate.ts";
import type {
  Family,
  RawRouteDefinition,
  RouteDefinition,
  RouteDetails,
  RouteRequest,
  SentFile,
} from "./route.ts";
import { routeSchema } from "./route-schema.ts";
import { clientNetwork, isTrustedLocal } from "./visitor.ts";

/** NDJSON. */
const LINES_TYPE = "application/x-ndjson";

const ErrorLine = Type.Object(
  {
    type: Type.Literal("error", { description: "It failed after it had begun; nothing follows." }),
    message: Type.String({ description: "Why, in English." }),
    fact: MessageSchema,
  },
  { title: "ErrorLine" },
);

/** The last line, unless it is an error. */
const resultLine = (result: TSchema) =>
  Type.Object({
    type: Type.Literal("result", { description: "It is done; nothing follows." }),
    results: result,
  });

const anyLine = (progress: TSchema, result: TSchema): TSchema =>
  Type.Union([progress, resultLine(result), ErrorLine], {
    description: "One line of the answer; each is a JSON object.",
  });

/** One JSON object a line, the last of which is a result or an error. */
interface LineStream {
  /** Says how far it is. The first one begins the answer: what fails before that is an answer as any other. */
  reportProgress(progress: unknown): void;
  hasBegun(): boolean;
  /** Aborted when the client goes away before the end. */
  signal: AbortSignal;
  end(results: unknown): void;
  fail(error: unknown): void;
}

/** For an answer that has not begun, by the schemas of its progress and its result. */
function lineStream(reply: FastifyReply, progress: TSchema, result: TSchema): LineStream {
  const { raw } = reply;
  let hasBegun = false;
  const gone = new AbortController();
  // Fastify's own signal keeps silent once an answer is taken over.
  raw.once("close", () => {
    if (!raw.writableEnded) gone.abort();
  });
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    const headers = reply.getHeaders() as Record<string, string>;
    reply.hijack();
    raw.writeHead(200, {
      ...headers,
      "content-type": `${LINES_TYPE}; charset=utf-8`,
      "cache-control": "no-store",
      // nginx would otherwise collect the lines before passing them on.
      "x-accel-buffering": "no",
    });
  };
  const finish = (line: string) => {
    begin();
    if (!raw.destroyed) raw.end(`${line}\n`);
  };
  return {
    reportProgress(progressed) {
      begin();
      // A client that does not read misses some progress, and costs no memory.
      if (!raw.destroyed && !raw.writableNeedDrain) raw.write(`${writerOf(progress)(progressed)}\n`);
    },
    hasBegun: () => hasBegun,
    signal: gone.signal,
    end: (results) => finish(writerOf(resultLine(result))({ type: "result", results })),
    fail(error) {
      const what = error instanceof PublicError ? error.descriptor : msg("request.error");
      finish(writerOf(ErrorLine)({ type: "error", message: inEnglish(what), fact: what }));
    },
  };
}

/** For public routes that say nothing else. */
const PUBLIC_LIMIT = { group: "public", perMinute: 120 };

/**
 * The onRequest hook: caller (401), rate (429), plan, scope and role (403), before the body is parsed. Plan
 * and role are checked again in the organization that the request means.
 */
function guardRoute(app: FastifyInstance, ctx: Context, details: RouteDetails) {
  if (details.family === "public") {
    const limit = details.limit === undefined ? PUBLIC_LIMIT : details.limit;
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (limit !== null && typeof limit !== "string") {
        await app.limiter.take(reply, limit.group, `address:${clientNetwork(request.ip)}`, limit.perMinute);
      }
      await details.admit?.(ctx, request, reply);
      const tenant = (request.caller ?? request.agent?.device)?.organizationId;
      if (tenant !== undefined) await app.turns.ofTenant(request, tenant);
    };
  }
  const needs = needsOfRoute(details);
  const { elsewhere = details.resource !== null } = details;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (details.loopback && !hasCredentials(request) && isTrustedLocal(ctx.config, request)) return;
    const known = await authenticate(ctx, request, reply);
    if (!known) throw unauthenticated();
    await app.turns.ofTenant(request, known.organizationId);
    const caller = withNeeds(known, needs);
    request.caller = caller;
    const limit = details.limit === undefined ? needs.action : details.limit;
    if (limit !== null) {
      const group = typeof limit === "string" ? limit : limit.group;
      const perMinute =
        typeof limit === "string" ? planOf(caller.plan).requestsPerMinute[limit] : limit.perMinute;
      const bySession = typeof limit === "object" && limit.by === "session" && caller.sessionId !== null;
      const who = bySession ? `session:${caller.sessionId}` : `user:${caller.userId}`;
      await app.limiter.take(reply, group, who, perMinute);
    }
    await authorize({ ...ctx, caller }, needs, { elsewhere });
  };
}

const needsOfRoute = (details: RouteDetails): Needs =>
  needsOf(
    { ...details, action: details.action ?? (details.method === "GET" ? "read" : "write") },
    details.family === "v2" ? ["full"] : [],
  );

const JSON_TYPE = "application/json; charset=utf-8";

/** Authentication, rate limit, plan, scope and role before the body is read; then validation, handler, envelope. */
export function defineRoute(app: FastifyInstance, ctx: Context, route: RouteDefinition): void {
  const writeLists = listWriter(route.response);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<object | string> => {
    const own = contextOf(ctx, request);
    const input = { params: request.params, query: request.query, body: request.body, raw: request };
    if (route.progress) return answerInLines(route, own, input, reply);
    const result = await route.handler(own, input, reply);
    const { status = route.status ?? 200, message = "OK", page, beside } = result;
    reply.status(status);
    const family = route.family === "v2" ? "v2" : "legacy";
    const word: Word = family === "v2" ? snakeName : (legacy) => legacy;
    if ("file" in result) return sendFile(reply, result.type, await result.file(word));
    const pagination = page && projectPage(page, family);
    const details = { ...(pagination && { pagination }), ...beside };
    const around = () => openSuccess(message, details);
    if ("data" in result) {
      const { data } = result;
      if (!writeLists || !isLong(data)) {
        return { success: true, message, data, ...details };
      }
      reply.type(JSON_TYPE);
      return writeLists(data, around());
    }
    reply.type(JSON_TYPE);
    return result.writeData(word, around());
  };
  addRoute(app, ctx, route, schemaOf(route), handler);
}

/** What fails before the first line is an answer as any other. */
async function answerInLines(
  { handler, progress = Type.Unknown(), response }: RouteDefinition,
  own: Calling,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const lines = lineStream(reply, progress, response);
  try {
    const result = await handler(
      { ...own, reportProgress: lines.reportProgress, signal: () => lines.signal },
      request,
      reply,
    );
    lines.end("data" in result ? result.data : null);
  } catch (error) {
    if (!lines.hasBegun()) throw error;
    if (!(error instanceof PublicError)) request.raw.log.error({ err: error }, "request failed");
    lines.fail(error);
  }
  return reply;
}

const schemas = new WeakMap<RouteDefinition, object>();

/** One for each route: what is compiled of it serves each server that has the route. */
function schemaOf(route: RouteDefinition): object {
  const known = schemas.get(route);
  if (known) return known;
  const answers = route.progress
    ? { [LINES_TYPE]: anyLine(route.progress, route.response) }
    : (route.content ?? {
        ...(route.upserts && { 200: route.response }),
        ...{ [route.status ?? 200]: route.response, ...route.files },
      });
  const schema = routeSchema(inFamily(route), answers);
  schemas.set(route, schema);
  return schema;
}

function sendFile(reply: FastifyReply, type: string, { name, content, shown }: SentFile): Readable {
  const isText = type !== "application/pdf";
  const way = shown ? "inline" : "attachment";
  reply
    .type(isText ? `${type}; charset=utf-8` : type)
    .header("content-disposition", `${way}; filename="${name}"`);
  if (shown) reply.headers(shown);
  return content;
}

/** `defineRoute` for answers without an envelope: health, metrics, images, streams. */
export function defineRawRoute<
  F extends Family,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(app: FastifyInstance, ctx: Context, route: RawRouteDefinition<F, Params, Query, Body>): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const own = contextOf(ctx, request);
    const input = { params: request.params, query: request.query, body: request.body, raw: request };
    const payload = await route.handler(own as never, input as never, reply);
    return reply.sent ? reply : payload;
  };
  // HEAD of a stream would hold the stream open for a client that gets nothing of it.
  const head = !("text/event-stream" in route.content);
  // No operation checks again in the organization that is meant: it is the caller's own.
  const details = { elsewhere: false, ...route };
  addRoute(app, ctx, details, routeSchema(inFamily(route), route.content), handler, head);
}

/** What requests may hold: v2 refuses what it does not know, so that each of its endpoints declares a query. */
function inFamily<R extends RouteDetails & { querystring?: TSchema; body?: TSchema }>(given: R): R {
  const route = withOrganization(given);
  if (route.family !== "v2") return route;
  const querystring = closedSchema(route.querystring ?? Type.Object({}));
  return { ...route, querystring, ...(route.body && { body: closedSchema(route.body) }) };
}

function addRoute(
  app: FastifyInstance,
  ctx: Context,
  details: RouteDetails,
  schema: object,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  exposeHeadRoute = true,
): void {
  const { method } = details;
  const needs = needsOfRoute(details);
  const own = [details.url, ...(details.aliases ?? [])];
  const more = own.filter((url) => url.startsWith("/v2/")).map((url) => `/api${url}`);
  for (const url of [...own, ...more]) {
    app.routeList.push({ ...details, url, alias: url !== details.url, needs, schema });
    app.route({
      method,
      url,
      schema: { ...schema, hide: url !== details.url } as never,
      config: configOf(details),
      onRequest: guardRoute(app, ctx, details),
      exposeHeadRoute,
      ...(details.bodyLimitBytes && { bodyLimit: details.bodyLimitBytes }),
      handler,
    });
  }
}

const configOf = ({ family, failure, maxBodyValues }: RouteDetails) => ({
  family,
  ...(failure && { failure }),
  ...(maxBodyValues && { maxBodyValues }),
});

function contextOf(ctx: Context, request: FastifyRequest): Context & Partial<CallerContext> {
  const own = { ...ctx, log: request.log, signal: () => request.signal };
  return request.caller ? { ...own, caller: request.caller } : own;
}
