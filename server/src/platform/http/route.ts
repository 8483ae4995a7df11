import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Action } from "../access/roles-and-scopes.ts";
import type { CallerContext, Context } from "../context.ts";
import type { MessageDescriptor } from "../i18n/message.ts";
import type { Word } from "../operations/field.ts";
import type { Access, Calling } from "../operations/operation.ts";
import type { Page } from "../operations/paging.ts";

export type Family = "legacy" | "v2" | "public";

/** Validated and coerced by the route's schemas. */
export interface RouteRequest<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  /** Fastify's own, for what a schema does not describe (headers, `signal`). */
  raw: FastifyRequest;
}

export type RouteResult = ResultDetails &
  (
    | { data: unknown }
    | { writeData: WriteData }
    | { type: string; file: (word: Word) => SentFile | Promise<SentFile> }
  );

/** A download; `content` is read while it is sent. */
export interface SentFile {
  name: string;
  content: Readable;
  /** Shown in the browser instead of saved: with these headers, which say what it may do there. */
  shown?: Readonly<Record<string, string>>;
}

/**
 * `data` as JSON between two texts, exactly as the response's schema says: for so many items that writing by
 * schema would block the server. Tests compare the two.
 */
export type WriteData = (word: Word, around: { first: string; last: string }) => Buffer;

interface ResultDetails {
  /** Default: the route's. */
  status?: 200 | 201;
  /** Default `OK`. */
  message?: string;
  page?: Page;
  /** What the route's `beside` declares. */
  beside?: Readonly<Record<string, unknown>>;
}

/** An endpoint group whose size the plan decides, or a limit of its own (requests a minute): by address for anonymous clients, by person, or by session. */
export type RouteLimit = "read" | "write" | "toolbox" | { group: string; perMinute: number; by?: "session" };

export interface RefusedBody {
  fields?: Readonly<Record<string, readonly MessageDescriptor[]>> | undefined;
  body: unknown;
}

/** By default for GET to read and else to write. v2 needs the feature `full` besides. */
export interface RouteDetails extends Omit<Access, "action"> {
  action?: Action;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Fastify's form: `/api/domains/:id`. A `/v2/…` route also answers at `/api/v2/…`. */
  url: string;
  /** Further addresses of the same handler; not repeated in OpenAPI. */
  aliases?: string[];
  /** `public`: no credentials are required and the handler has no caller. */
  family: Family;
  /** Where VEDETTE_METRICS allows it, a request from this machine needs no credentials; the handler then has no caller. */
  loopback?: boolean;
  /** The handler finds out which organization is meant, and checks role and plan there. */
  elsewhere?: boolean;
  /** Default: `read` or `write` by `action`; null: not limited. Public routes are limited by client address. */
  limit?: RouteLimit | null;
  status?: 200 | 201;
  /** What it makes may be there already: then it is changed, and the answer is 200. */
  upserts?: boolean;
  summary: string;
  description?: string;
  /** Default: `resource`. */
  tag?: string;
  /** Failure codes to document beside those that follow from the other details. */
  failures?: readonly number[];
  /** How failures are worded, where that is not the failure envelope. */
  failure?(status: number, what: MessageDescriptor, refused: RefusedBody): object;
  /** Of a public route for holders of a token: finds out who calls, before the body is read. Throws 401. */
  admit?(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** What a body may be at most; default: 256 KB. */
  bodyLimitBytes?: number;
  /** How many values a JSON body may have; default: 20,000. */
  maxBodyValues?: number;
  /** A list whose result carries `page`: writes `pagination` in the family's words. */
  paged?: boolean;
  /** What is beside `data` in the envelope: names of one word, the same in both families. */
  beside?: Readonly<Record<string, TSchema>>;
}

/** listing.ts makes one of each address of an operation. */
export interface RouteDefinition extends RouteDetails {
  family: Family;
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  /** The schema of `data`. What it does not declare is never sent. Give named shapes a `title`: OpenAPI makes them components. */
  response: TSchema;
  /** In the place of the envelope: lines, of which these report progress. */
  progress?: TSchema;
  /** Of a file in the place of the envelope: its content type to its schema. */
  content?: Record<string, TSchema>;
  files?: Record<string, TSchema>;
  handler(ctx: Calling, request: RouteRequest, reply: FastifyReply): Promise<RouteResult>;
}

export interface RawRouteDefinition<
  F extends Family,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> extends RouteDetails {
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
