import type { FastifyInstance } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Context } from "../context.ts";
import {
  fromV2,
  mapEntries,
  toSnake,
  v2Answer,
  v2Body,
  v2Params,
  v2Query,
  v2Url,
} from "../operations/snake-case.ts";
import { mapLists } from "./answer.ts";
import { defineRoute } from "./define-route.ts";
import { type Listing, routeOf } from "./listing.ts";
import type { RouteDefinition } from "./route.ts";

interface InFamilies<Data extends TSchema> {
  /** The other family does not have it. */
  only?: "legacy" | "v2";
  /** What the specification words otherwise in v2 than would be derived. */
  v2?: {
    url?: string;
    /** Further addresses of it there. */
    aliases?: string[];
    description?: string;
    body?: TSchema;
    response?: TSchema;
    serialize?(data: Static<Data>): unknown;
  };
}

export type DefineBoth = <I extends TSchema, O extends TSchema, R>(
  listing: Listing<I, O, R> & InFamilies<O>,
) => void;

/** An endpoint in its canonical form, which is camelCase; v2's is derived from it. */
type Canonical = Omit<RouteDefinition, "family"> & InFamilies<TSchema>;

export type Describe = (define: DefineBoth) => void;

type Register = (app: FastifyInstance, ctx: Context) => void;

/** Registers a resource's endpoints, first the legacy ones, then those of v2. */
export function inBoth(describe: Describe): Register[] {
  let known: Canonical[] | undefined;
  const canonical = () => (known ??= canonicalOf(describe));
  return [
    register(() => canonical().flatMap((route) => (route.only === "v2" ? [] : [legacyForm(route)]))),
    register(() => canonical().flatMap((route) => (route.only === "legacy" ? [] : [v2Form(route)]))),
  ];
}

/** Routes are made for the first server of a process; further ones, which tests start, have the same. */
function register(make: () => RouteDefinition[]): Register {
  let routes: RouteDefinition[] | undefined;
  return (app, ctx) => {
    routes ??= make();
    for (const route of routes) defineRoute(app, ctx, route);
  };
}

function canonicalOf(describe: Describe): Canonical[] {
  const routes: Canonical[] = [];
  describe((listing) => void routes.push(routeOf(listing)));
  return routes;
}

function legacyForm({ v2: _, only: __, ...route }: Canonical): RouteDefinition {
  return { ...route, family: familyOf(route, "legacy") };
}

/** What anonymous clients may do is in neither family. */
const familyOf = <F extends "legacy" | "v2">({ by }: Canonical, family: F) =>
  by === "anyone" ? "public" : family;

/** The handler reads the canonical form of a request and answers in it; here both are put into v2's words. */
function v2Form(route: Canonical): RouteDefinition {
  const { v2 = {}, only: _, aliases: __, ...same } = route;
  const { url = v2Url(route.url), description = route.description, aliases } = v2;
  const params = route.params && v2Params(route.params);
  const querystring = route.querystring && v2Query(route.querystring, { paged: route.paged ?? false });
  const body = v2.body ?? (route.body && v2Body(route.body));
  const response = v2.response ?? v2Answer(route.response);
  const progress = route.progress && v2Answer(route.progress);
  const beside = route.beside && mapEntries(route.beside, (name, schema) => [name, v2Answer(schema)]);
  const inV2 = (progressed: unknown) => (route.progress ? toSnake(route.progress, progressed) : progressed);
  const serialize = v2.serialize ?? inSnake(route.response, response);
  return {
    ...same,
    family: familyOf(route, "v2"),
    url,
    response,
    ...(aliases && { aliases }),
    ...(description && { description }),
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(body && { body }),
    ...(progress && { progress }),
    ...(beside && { beside }),
    async handler(own, request, reply) {
      const { reportProgress } = own;
      const calling =
        reportProgress && progress
          ? { ...own, reportProgress: (progressed: unknown) => reportProgress(inV2(progressed)) }
          : own;
      const canonical = {
        params: read(route.params, params, request.params),
        query: read(route.querystring, querystring, request.query),
        body: read(route.body, body, request.body),
        raw: request.raw,
      };
      const result = await route.handler(calling, canonical, reply);
      const details = result.beside && { beside: besideInSnake(route, result.beside) };
      return "data" in result ? { ...result, ...details, data: await serialize(result.data) } : result;
    },
  };
}

/** Properties beside a list; their names are of one word. */
const besideInSnake = ({ beside = {} }: Canonical, details: Readonly<Record<string, unknown>>) =>
  mapEntries(beside, (name, schema) => [name, toSnake(schema, details[name]) as unknown]);

const read = (schema: TSchema | undefined, v2: TSchema | undefined, value: unknown): unknown =>
  schema && v2 ? fromV2(schema, v2, value) : value;

/** Puts data of the canonical schema into snake_case; long lists in turns with everybody else. */
function inSnake(canonical: TSchema, response: TSchema): (data: unknown) => unknown {
  if (response === canonical) return (data) => data;
  return async (data) =>
    (await mapLists(canonical, data, (item, schema) => toSnake(schema, item))) ?? toSnake(canonical, data);
}
