import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { auditEntry, recordAudit } from "../account/audit.ts";
import { type AuditAction, isAuditAction } from "../account/audit-actions.ts";
import type { Feature } from "../account/plans.ts";
import type { Action, Resource } from "../account/scopes.ts";
import type { CallerContext, Context } from "../context.ts";
import { openSuccess, type Page, projectPage } from "../wire/envelope.ts";
import { closedSchema } from "../wire/v2/closed-schema.ts";
import { snakeName } from "../wire/v2/snake-case.ts";
import type { Word } from "../wire/word.ts";
import { guardRoute, type RouteLimit } from "./guard.ts";
import { isLong, listWriter } from "./long-list.ts";
import { inOrganization, withOrganization } from "./organization-filter.ts";
import { routeSchema } from "./route-schema.ts";

export type Family = "legacy" | "v2" | "public";

const JSON_TYPE = "application/json; charset=utf-8";

/** What a handler gets of the request: validated and coerced by the route's schemas. */
export interface RouteRequest<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  /** Fastify's own, for what a schema does not describe (headers, `signal`). */
  raw: FastifyRequest;
}

/** What a handler returns; the envelope is made from it. */
export type RouteResult<Data> = ResultFacts & ({ data: Data } | { writeData: WriteData });

/**
 * `data` as JSON in the family's words, exactly as the response's schema says, between two texts: for answers
 * of so many items that making them by the schema would keep others waiting. Tests compare the two.
 */
export type WriteData = (word: Word, around: { first: string; last: string }) => Buffer;

interface ResultFacts {
  /** Default `OK`. */
  message?: string;
  page?: Page;
  /** For the audit when `data` has no `id`. */
  auditId?: string | number;
  /** What was touched, by its name, for the audit when `data` has no `name`. */
  auditName?: string;
}

export interface RouteFacts {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Fastify's form: `/api/domains/:id`. A `/v2/…` route also answers at `/api/v2/…`. */
  url: string;
  /** Further addresses of the same handler; not repeated in OpenAPI. */
  aliases?: string[];
  /** `public`: no credentials are asked for and the handler has no caller. */
  family: Family;
  /** The resource of its scope (decisions §4). Required unless public or `own`. */
  resource?: Resource;
  /** About the caller themselves: asks for no scope or role. `session`: a signed-in person, no API key. */
  own?: "session" | "any";
  /** Where VEDETTE_METRICS allows it, a request from this machine needs no credentials; the handler then has no caller. */
  loopback?: boolean;
  /** The verb finds out which organization is meant, and asks for role and plan there; so it is for ids in a path. */
  elsewhere?: boolean;
  /** Default: GET reads, everything else writes. */
  action?: Action;
  /** The plan feature it needs, default `basic`. v2 routes need `full` besides, whatever is said here. */
  feature?: Feature;
  /** Default: `read` or `write` by `action`; null: not limited. Public routes are limited by client address. */
  limit?: RouteLimit | null;
  status?: 200 | 201;
  /** The audit's action, default e.g. `create domains`; null: nothing worth recording. GET never is. */
  audit?: AuditAction | null;
  summary: string;
  description?: string;
  /** Default: `resource`. */
  tag?: string;
  /** Failure codes to document beside those that follow from the other facts. */
  failures?: readonly number[];
  /** A list whose result carries `page`: writes `pagination` in the family's words. */
  paged?: boolean;
}

export interface RouteDefinition<
  F extends Family,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
> extends RouteFacts {
  family: F;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** The schema of `data`. What it does not declare is never sent. Give named shapes a `title`: OpenAPI makes them components. */
  response: Data;
  handler(
    ctx: F extends "public" ? Context : CallerContext,
    request: RouteRequest<Params, Query, Body>,
    reply: FastifyReply,
  ): Promise<RouteResult<Static<Data>>>;
}

/**
 * Registers one endpoint with everything a route has: authentication, rate limit, plan, scope and
 * role before the body is read; then validation, the handler, an audit row, the envelope.
 */
export function defineRoute<
  F extends Family,
  Data extends TSchema,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(app: FastifyInstance, ctx: Context, route: RouteDefinition<F, Params, Query, Body, Data>): void {
  const status = route.status ?? 200;
  const writeLists = listWriter(route.response);
  const action = auditActionOf(route);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<object | string> => {
    const own = await inOrganization(contextOf(ctx, request), route, request);
    const input = { params: request.params, query: request.query, body: request.body, raw: request };
    const result = await route.handler(own as never, input as never, reply);
    await auditWrite(own, { action, resource: route.resource }, request, result);
    reply.status(status);
    const { message = "OK", page } = result;
    const family = route.family === "v2" ? "v2" : "legacy";
    const pagination = page && projectPage(page, family);
    const around = () => openSuccess(message, pagination);
    if ("data" in result) {
      const { data } = result;
      if (!writeLists || !isLong(data)) {
        return { success: true, message, data, ...(pagination && { pagination }) };
      }
      reply.type(JSON_TYPE);
      return writeLists(data, around());
    }
    reply.type(JSON_TYPE);
    return result.writeData(family === "v2" ? snakeName : (word) => word, around());
  };
  addRoute(app, ctx, route, routeSchema(inFamily(route), { [status]: route.response }), handler);
}

export interface RawRouteDefinition<
  F extends Family,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> extends RouteFacts {
  family: F;
  params?: Params;
  querystring?: Query;
  body?: Body;
  /** Content type to schema of the 200 answer, for OpenAPI. */
  content: Record<string, TSchema>;
  /** JSON answers of other status codes that are no failure envelope. */
  answers?: Record<number, TSchema>;
  /** Returns the payload, or sends it through `reply` itself. */
  handler(
    ctx: F extends "public" ? Context : CallerContext,
    request: RouteRequest<Params, Query, Body>,
    reply: FastifyReply,
  ): Promise<unknown>;
}

/** `defineRoute` for answers without an envelope: health, metrics, images, streams. */
export function defineRawRoute<
  F extends Family,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(app: FastifyInstance, ctx: Context, route: RawRouteDefinition<F, Params, Query, Body>): void {
  const action = auditActionOf(route);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const own = await inOrganization(contextOf(ctx, request), route, request);
    const input = { params: request.params, query: request.query, body: request.body, raw: request };
    const payload = await route.handler(own as never, input as never, reply);
    await auditWrite(own, { action, resource: route.resource }, request, { data: {} });
    return reply.sent ? reply : payload;
  };
  // HEAD of a stream would hold the stream open for a client that gets nothing of it.
  const head = !("text/event-stream" in route.content);
  addRoute(app, ctx, route, routeSchema(inFamily(route), route.content), handler, head);
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
  const more = facts.url.startsWith("/v2/") ? [`/api${facts.url}`] : [];
  const { method } = facts;
  for (const url of [facts.url, ...(facts.aliases ?? []), ...more]) {
    app.routeList.push({ ...facts, url, alias: url !== facts.url, schema });
    app.route({
      method,
      url,
      schema: { ...schema, hide: url !== facts.url } as never,
      config: { family: facts.family },
      onRequest: guardRoute(app, ctx, facts),
      exposeHeadRoute,
      handler,
    });
  }
}

function contextOf(ctx: Context, request: FastifyRequest): Context & Partial<CallerContext> {
  return { ...ctx, log: request.log, ...(request.caller && { caller: request.caller }) };
}

const VERBS = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" } as const;

/** What is recorded of a route's writes, null for nothing. Throws, at the start, for an action that has no sentence. */
function auditActionOf({ method, url, family, resource, audit }: RouteFacts): AuditAction | null {
  if (method === "GET" || audit === null || family === "public") return null;
  const action = audit ?? `${VERBS[method]} ${resource}`;
  if (isAuditAction(action)) return action;
  throw new Error(`${method} ${url}: "${action}" is not among the AUDIT_ACTIONS (account/audit-actions.ts).`);
}

async function auditWrite(
  ctx: Context & Partial<CallerContext>,
  { action, resource = "account" }: { action: AuditAction | null; resource: string | undefined },
  request: FastifyRequest,
  result: { data?: unknown; auditId?: string | number; auditName?: string },
): Promise<void> {
  if (action === null || !ctx.caller) return;
  const params = request.params as Record<string, string>;
  const data = result.data as { id?: string | number; name?: string } | null | undefined;
  const resourceId = String(result.auditId ?? data?.id ?? params.id ?? params.uuid ?? "") || null;
  const subject = result.auditName ?? data?.name ?? null;
  await recordAudit(ctx, auditEntry(ctx.caller, { action, resource, resourceId, subject }));
}
