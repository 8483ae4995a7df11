import { type TSchema, Type } from "typebox";
import { type FieldErrors, PublicError } from "../../errors.ts";
import type { Word } from "../word.ts";

/**
 * v2 says what legacy says, in snake_case. These functions turn a legacy shape into its v2 form by
 * its schema: names that a schema declares are renamed; keys that are data (header names, location
 * codes) are not.
 */

/** `avgResponseTime` to `avg_response_time`, `uptime24h` to `uptime_24h`. */
export const snakeName: Word = (name) =>
  name.replace(/([a-z])([A-Z]|\d+)/g, (_, before, next) => `${before}_${next.toLowerCase()}`);

/** What v2 calls otherwise than by casing: names of paths, queries and bodies, at the top only. */
const V2_WORDS: Record<string, string> = {
  id: "uuid",
  userId: "user",
  organizationId: "organization",
  limit: "per_page",
};

type Node = {
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  oneOf?: Node[];
  title?: string;
};

/** The schema with its declared names renamed, at every depth. A title gets `V2` in front. */
export function snakeSchema(schema: TSchema): TSchema {
  return Type.Unsafe(rename(schema as unknown as Node) as object);
}

function rename(schema: Node): Node {
  const { properties, patternProperties, required, items, oneOf, title } = schema;
  return {
    ...schema,
    ...(title && { title: `V2${title}` }),
    ...(properties && {
      properties: mapEntries(properties, (name, node) => [snakeName(name), rename(node)]),
    }),
    ...(patternProperties && {
      patternProperties: mapEntries(patternProperties, (pattern, node) => [pattern, rename(node)]),
    }),
    ...(required && { required: required.map(snakeName) }),
    ...(items && { items: rename(items) }),
    ...(oneOf && { oneOf: oneOf.map(rename) }),
  };
}

/** A value of the legacy `schema` in snake_case. */
export const toSnake = (schema: TSchema, value: unknown): object =>
  convert(schema as Node, value, "to") as object;

/** A value in snake_case as one of the legacy `schema`. */
export const fromSnake = <T>(schema: TSchema, value: unknown): T =>
  convert(schema as Node, value, "from") as T;

/**
 * Params, query or body of a v2 request as the legacy form of the endpoint reads them. Only what `v2`
 * declares is taken: nothing else was validated.
 */
export function fromV2<T>(legacy: TSchema, v2: TSchema, value: unknown): T {
  const declared = (v2 as Node).properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, node] of Object.entries((legacy as Node).properties ?? {})) {
    const word = V2_WORDS[name];
    const from = word !== undefined && word in declared ? word : snakeName(name);
    const found = from in declared ? (value as Record<string, unknown>)[from] : undefined;
    if (found !== undefined) result[name] = convert(node, found, "from");
  }
  return result as T;
}

function convert(schema: Node, value: unknown, way: "to" | "from"): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item) => convert(schema.items as Node, item, way)) : value;
  if (typeof value !== "object" || value === null) return value;
  const [items] = Object.values(schema.patternProperties ?? {});
  if (items)
    return mapEntries(value as Record<string, unknown>, (key, item) => [key, convert(items, item, way)]);
  const properties =
    schema.properties ?? Object.assign({}, ...(schema.oneOf ?? []).map((one) => one.properties));
  const result: Record<string, unknown> = {};
  for (const [name, node] of Object.entries(properties as Record<string, Node>)) {
    const [from, to] = way === "to" ? [name, snakeName(name)] : [snakeName(name), name];
    const found = (value as Record<string, unknown>)[from];
    if (found !== undefined) result[to] = convert(node, found, way);
  }
  return Object.keys(properties).length > 0 ? result : value;
}

/** Runs a verb; what it says of fields is said of v2's names. */
export async function withSnakeFields<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PublicError) || !error.fields) throw error;
    throw new PublicError(error.kind, error.message, {
      fields: snakeFields(error.fields),
      cause: error.cause,
    });
  }
}

/** Every part of a path but the keys of `headers`, which are header names. */
const snakeFields = (fields: FieldErrors): FieldErrors =>
  mapEntries(fields, (path, sentences) => {
    const parts = path.split(".");
    return [
      parts.map((part, at) => (parts[at - 1] === "headers" ? part : snakeName(part))).join("."),
      sentences,
    ];
  });

function mapEntries<A, B>(
  object: Record<string, A>,
  change: (key: string, value: A) => [string, B],
): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => change(key, value)));
}
