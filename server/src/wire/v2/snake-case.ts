import { type TSchema, Type } from "typebox";
import { type FieldErrors, PublicError } from "../../errors.ts";

/**
 * v2 says what legacy says, in snake_case. These functions turn a legacy shape into its v2 form by
 * its schema: names that a schema declares are renamed; keys that are data (header names, location
 * codes) are not.
 */

/** `avgResponseTime` to `avg_response_time`, `uptime24h` to `uptime_24h`. */
const snakeName = (name: string): string =>
  name.replace(/([a-z])([A-Z]|\d+)/g, (_, before, next) => `${before}_${next.toLowerCase()}`);

type Node = {
  properties?: Record<string, Node>;
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
  const { properties, required, items, oneOf, title } = schema;
  return {
    ...schema,
    ...(title && { title: `V2${title}` }),
    ...(properties && {
      properties: mapEntries(properties, (name, node) => [snakeName(name), rename(node)]),
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

function convert(schema: Node, value: unknown, way: "to" | "from"): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item) => convert(schema.items as Node, item, way)) : value;
  if (typeof value !== "object" || value === null) return value;
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
