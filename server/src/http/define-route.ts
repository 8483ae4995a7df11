import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import type { CallerContext, Context } from "../context.ts";
import { PublicError } from "../errors.ts";
import type { Calling } from "../verb/verb.ts";
import { openSuccess, projectPage } from "../wire/envelope.ts";
import { closedSchema } from "../wire/v2/closed-schema.ts";
import { snakeName } from "../wire/v2/snake-case.ts";
import type { Word } from "../wire/word.ts";
import { guardRoute, needsOfRoute } from "./guard.ts";
import { anyLine, LINES_TYPE, lineStream } from "./line-stream.ts";
import { isLong, listWriter } from "./long-list.ts";
import { withOrganization } from "./organization-filter.ts";
import type {
  Family,
  RawRouteDefinition,
  RouteDefinition,
  RouteFacts,
  RouteRequest,
  SentFile,
} from "./route.ts";
import { routeSchema } from "./route-schema.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Registers one endpoint with everything a route has: authentication, rate limit, plan, scope and
 * role before the body is read; then validation, the handler, the envelope.
 */
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
    const facts = { ...(pagination && { pagination }), ...beside };
    const around = () => openSuccess(message, facts);
    if ("data" in result) {
      const { data } = result;
      if (!writeLists || !isLong(data)) {
        return { success: true, message, data, ...facts };
      }
      reply.type(JSON_TYPE);
      return writeLists(data, around());
    }
    reply.type(JSON_TYPE);
    return result.writeData(word, around());
  };
  addRoute(app, ctx, route, schemaOf(route), handler);
}

/** Lines as they come; what fails before the first one is an answer as any other. */
async function answerInLines(
  { handler, progress = Type.Unknown(), response }: RouteDefinition,
  own: Calling,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const lines = lineStream(reply, progress, response);
  try {
    const result = await handler({ ...own, tell: lines.tell, signal: () => lines.signal }, request, reply);
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
  // No verb asks again in the organization that is meant: it is the caller's own.
  const facts = { elsewhere: false, ...route };
  addRoute(app, ctx, facts, routeSchema(inFamily(route), route.content), handler, head);
}

/** What requests may hold: v2 refuses what it does not know, so that each of its endpoints declares a query. */
function inFamily<R extends RouteFacts & { querystring?: TSchema; body?: TSchema }>(given: R): R {
  const route = withOrganization(given);
  if (route.family !== "v2") return route;
  const querystring = closedSchema(route.querystring ?? Type.Object({}));
  return { ...route, querystring, ...(route.body && { body: closedSchema(route.body) }) };
}

function addRoute(
  app: FastifyInstance,
  ctx: Context,
  facts: RouteFacts,
  schema: object,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  exposeHeadRoute = true,
): void {
  const { method } = facts;
  const needs = needsOfRoute(facts);
  const own = [facts.url, ...(facts.aliases ?? [])];
  const more = own.filter((url) => url.startsWith("/v2/")).map((url) => `/api${url}`);
  for (const url of [...own, ...more]) {
    app.routeList.push({ ...facts, url, alias: url !== facts.url, needs, schema });
    app.route({
      method,
      url,
      schema: { ...schema, hide: url !== facts.url } as never,
      config: configOf(facts),
      onRequest: guardRoute(app, ctx, facts),
      exposeHeadRoute,
      ...(facts.bodyLimitBytes && { bodyLimit: facts.bodyLimitBytes }),
      handler,
    });
  }
}

const configOf = ({ family, failure, maxBodyValues }: RouteFacts) => ({
  family,
  ...(failure && { failure }),
  ...(maxBodyValues && { maxBodyValues }),
});

function contextOf(ctx: Context, request: FastifyRequest): Context & Partial<CallerContext> {
  const own = { ...ctx, log: request.log, signal: () => request.signal };
  return request.caller ? { ...own, caller: request.caller } : own;
}
