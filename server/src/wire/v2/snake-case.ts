import { type TSchema, Type } from "typebox";
import type { Word } from "../word.ts";
import { mapEntries, mapNodes, type SchemaNode } from "./schema-node.ts";

/**
 * v2 says what legacy says, in snake_case. These functions turn a legacy shape into its v2 form by
 * its schema: names that a schema declares are renamed; keys that are data (header names, location
 * codes) are not.
 */

/** `avgResponseTime` to `avg_response_time`, `uptime24h` to `uptime_24h`. */
export const snakeName: Word = (name) =>
  name.replace(/([a-z])([A-Z]|\d+)/g, (_, before, next) => `${before}_${next.toLowerCase()}`);

/** The same for names that schemas declare, which are few: ten thousand items of a list have the same. */
function declaredName(name: string): string {
  const known = DECLARED.get(name) ?? snakeName(name);
  DECLARED.set(name, known);
  return known;
}

const DECLARED = new Map<string, string>();

/** What v2 calls otherwise than by casing: names of paths, queries and bodies, at the top only. */
const V2_WORDS: ReadonlyMap<string, string> = new Map([
  ["id", "uuid"],
  ["userId", "user"],
  ["limit", "per_page"],
]);

/** What v2 calls a thing of legacy's. */
export const v2Word: Word = (name) => V2_WORDS.get(name) ?? snakeName(name);

/** A field's name within a text of ours. */
const LEGACY_NAME = /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

/** The schema with its names renamed, those in its texts as well, at every depth. A title gets `V2` in front. */
export function snakeSchema(schema: TSchema): TSchema {
  return Type.Unsafe(rename(schema as unknown as SchemaNode) as object);
}

function rename(schema: SchemaNode): SchemaNode {
  const renamed = mapNodes(schema, rename);
  const { properties, required, title, description } = renamed;
  const when = schema["x-when"];
  return {
    ...renamed,
    ...(description && { description: description.replace(LEGACY_NAME, snakeName) }),
    ...(when && { "x-when": mapEntries(when, (name, values) => [snakeName(name), values]) }),
    ...(title && { title: `V2${title}` }),
    ...(properties && { properties: mapEntries(properties, (name, node) => [snakeName(name), node]) }),
    ...(required && { required: required.map(snakeName) }),
  };
}

/** A value of the legacy `schema` in snake_case. */
export const toSnake = (schema: TSchema, value: unknown): object =>
  convert(schema as SchemaNode, value, "to") as object;

/** A value in snake_case as one of the legacy `schema`. */
export const fromSnake = <T>(schema: TSchema, value: unknown): T =>
  convert(schema as SchemaNode, value, "from") as T;

/**
 * Params, query or body of a v2 request as the legacy form of the endpoint reads them. Only what `v2`
 * declares is taken: nothing else was validated.
 */
export function fromV2<T>(legacy: TSchema, v2: TSchema, value: unknown): T {
  const declared = (v2 as SchemaNode).properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, node] of Object.entries((legacy as SchemaNode).properties ?? {})) {
    const word = V2_WORDS.get(name);
    const from = word !== undefined && word in declared ? word : snakeName(name);
    const found = from in declared ? (value as Record<string, unknown>)[from] : undefined;
    if (found !== undefined) result[name] = convert(node, found, "from");
  }
  return result as T;
}

function convert(schema: SchemaNode, value: unknown, way: "to" | "from"): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item) => convert(schema.items as SchemaNode, item, way)) : value;
  if (typeof value !== "object" || value === null) return value;
  const [items] = Object.values(schema.patternProperties ?? {});
  if (items)
    return mapEntries(value as Record<string, unknown>, (key, item) => [key, convert(items, item, way)]);
  const properties =
    schema.properties ?? Object.assign({}, ...(schema.oneOf ?? []).map((one) => one.properties));
  const result: Record<string, unknown> = {};
  for (const [name, node] of Object.entries(properties as Record<string, SchemaNode>)) {
    const [from, to] = way === "to" ? [name, declaredName(name)] : [declaredName(name), name];
    const found = (value as Record<string, unknown>)[from];
    if (found !== undefined) result[to] = convert(node, found, way);
  }
  return Object.keys(properties).length > 0 ? result : value;
}
