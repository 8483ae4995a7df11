import type { FastifyInstance } from "fastify";
import type { Static, TSchema } from "typebox";
import type { Context } from "../context.ts";
import { fromV2, snakeSchema, toSnake } from "../wire/v2/snake-case.ts";
import { defineRoute } from "./define-route.ts";
import { mapLists } from "./long-list.ts";
import type { RouteDefinition } from "./route.ts";

/** An endpoint of both families: the legacy form, and what v2 words differently. */
export interface BothDefinition<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Data extends TSchema,
> extends Omit<RouteDefinition<"legacy", Params, Query, Body, Data>, "family"> {
  /** What is left out is as in legacy, a body by `snakeSchema`. `response`: that one by `snakeSchema`. */
  v2: {
    url: string;
    description?: string;
    params?: TSchema;
    querystring?: TSchema;
    body?: TSchema;
    response?: TSchema;
  };
}

export type DefineBoth = <
  Data extends TSchema,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  route: BothDefinition<Params, Query, Body, Data>,
) => void;

export type DefineV2 = <
  Data extends TSchema,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(
  route: RouteDefinition<"v2", Params, Query, Body, Data>,
) => void;

/** A resource of both families. `defineV2` is for endpoints that legacy does not have. */
export type Describe = (define: DefineBoth, defineV2: DefineV2) => void;

type Register = (app: FastifyInstance, ctx: Context) => void;

/** Registers a resource's legacy endpoints. */
export const inLegacy =
  (describe: Describe): Register =>
  (app, ctx) =>
    describe(
      ({ v2: _, ...route }) => defineRoute(app, ctx, { ...route, family: "legacy" }),
      () => {},
    );

/** Registers a resource's v2 endpoints. */
export const inV2 =
  (describe: Describe): Register =>
  (app, ctx) =>
    describe(
      (route) => defineRoute(app, ctx, v2Form(route)),
      (route) => defineRoute(app, ctx, route),
    );

/** First the legacy ones, then those of v2. */
export const inBoth = (describe: Describe): Register[] => [inLegacy(describe), inV2(describe)];

/** The handler reads the request in legacy's words and answers in them; here both are put into v2's. */
function v2Form<Params extends TSchema, Query extends TSchema, Body extends TSchema, Data extends TSchema>(
  route: BothDefinition<Params, Query, Body, Data>,
): RouteDefinition<"v2", TSchema, TSchema, TSchema, TSchema> {
  const { v2, aliases: _, ...same } = route;
  // A body that v2 words as legacy does is closed there: it is another schema, of another title.
  const body = v2.body ?? (route.body && snakeSchema(route.body));
  return {
    ...{ ...same, ...v2, family: "v2" },
    ...(body && { body }),
    async handler(own, request, reply) {
      const inLegacyWords = {
        params: read<Static<Params>>(route.params, v2.params, request.params),
        query: read<Static<Query>>(route.querystring, v2.querystring, request.query),
        body: read<Static<Body>>(route.body, body, request.body),
        raw: request.raw,
      };
      const result = await route.handler(own, inLegacyWords, reply);
      if (!v2.response || !("data" in result)) return result;
      const lists = await mapLists(route.response, result.data, (item, schema) => toSnake(schema, item));
      return { ...result, data: lists ?? toSnake(route.response, result.data) };
    },
  };
}

const read = <T>(legacy: TSchema | undefined, v2: TSchema | undefined, value: unknown): T =>
  legacy && v2 ? fromV2<T>(legacy, v2, value) : (value as T);
