import { type TSchema, Type } from "typebox";
import { V2PageQuery } from "../page.ts";
import { mapEntries, type SchemaNode } from "./schema-node.ts";
import { isSameInSnake, snakeName, snakeSchema, v2Word } from "./snake-case.ts";

/*
 * What v2 makes of the canonical form of an endpoint, which is written in camelCase: nobody writes it twice.
 */

/** Where v2 has it: `/api/domains/:id` is `/v2/domains/:uuid`. */
export const v2Url = (url: string): string =>
  `/v2${url.replace(/^\/api(?=\/)/, "")}`.replace(/:(\w+)/g, (_, name: string) => `:${v2Word(name)}`);

/** Its path's parameters. */
export const v2Params = (params: TSchema): TSchema => withNames(params, v2Word);

/** Its query, in snake_case; so are the names among which a parameter chooses. A list in pages has v2's own. */
export function v2Query(querystring: TSchema, { paged }: { paged: boolean }): TSchema {
  const given = querystring as SchemaNode;
  const { properties, required } = paged ? inPages(given) : given;
  const fields = mapEntries(properties ?? {}, chosenInSnake);
  return withNames({ ...querystring, properties: fields, required } as TSchema, snakeName);
}

/** Its body. V2's takes nothing undeclared, so it is a shape of its own even where all names are the same. */
export const v2Body = (body: TSchema): TSchema => snakeSchema(body);

/** Its answer: the very same shape where no name differs. */
export const v2Answer = (response: TSchema): TSchema =>
  isSameInSnake(response) ? response : snakeSchema(response);

/** Every v2 list comes in pages of the same sizes, whether the canonical one does or not. */
function inPages({
  properties: { page: _, limit: __, ...rest } = {},
  required = [],
}: SchemaNode): SchemaNode {
  const others = required.filter((name) => name in rest);
  return { properties: { ...(V2PageQuery as Record<string, SchemaNode>), ...rest }, required: others };
}

function chosenInSnake(name: string, field: SchemaNode): [string, SchemaNode] {
  return [name, field.enum ? { ...field, enum: field.enum.map(snakeChoice) } : field];
}

const snakeChoice = (choice: unknown) => (typeof choice === "string" ? snakeName(choice) : choice);

function withNames(schema: TSchema, nameOf: (name: string) => string): TSchema {
  const { properties, required } = schema as SchemaNode;
  return Type.Unsafe({
    ...schema,
    ...(properties && { properties: mapEntries(properties, (name, field) => [nameOf(name), field]) }),
    ...(required && { required: required.map(nameOf) }),
  });
}
