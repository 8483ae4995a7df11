import { type TSchema, Type } from "typebox";
import type { Word } from "../word.ts";
import { mapEntries, mapNodes, nodesIn, type SchemaNode } from "./schema-node.ts";

/**
 * Shapes are written in camelCase, and v2 says the same in snake_case. These functions turn a shape into its v2 form
 * by its schema: names that a schema declares are renamed; keys that are data (header names, location
 * codes) are not.
 */

/** `avgResponseTime` to `avg_response_time`, `uptime24h` to `uptime_24h`. */
export const snakeName: Word = (name) =>
  name.replace(/([a-z])([A-Z]+(?![a-z])|[A-Z]|\d+)/g, (_, before, next) => `${before}_${next.toLowerCase()}`);

/** What v2 calls otherwise than by casing: names of paths, queries and bodies, at the top only. */
const V2_WORDS: ReadonlyMap<string, string> = new Map([
  ["id", "uuid"],
  ["userId", "user"],
  ["limit", "per_page"],
]);

/** What v2 calls a parameter. */
export const v2Word: Word = (name) => V2_WORDS.get(name) ?? snakeName(name);

/** A field's name within a text of ours. */
const CAMEL_NAME = /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

/** The schema with its names renamed, those in its texts as well, at every depth. A title gets `V2` in front. */
export function snakeSchema(schema: TSchema): TSchema {
  return Type.Unsafe(rename(schema as SchemaNode) as object);
}

/** Whether no name that the schema declares, at any depth, has two words. */
export const isSameInSnake = (schema: TSchema): boolean => isSame(schema as SchemaNode);

const isSame = (schema: SchemaNode): boolean =>
  Object.keys(schema.properties ?? {}).every((name) => snakeName(name) === name) &&
  nodesIn(schema).every(isSame);

function rename(schema: SchemaNode): SchemaNode {
  const renamed = mapNodes(schema, rename);
  const { properties, required, title, description } = renamed;
  const when = schema["x-when"];
  return {
    ...renamed,
    ...(description && { description: description.replace(CAMEL_NAME, snakeName) }),
    ...(when && { "x-when": mapEntries(when, (name, values) => [snakeName(name), values]) }),
    ...(title && { title: `V2${title}` }),
    ...(properties && { properties: mapEntries(properties, (name, node) => [snakeName(name), node]) }),
    ...(required && { required: required.map(snakeName) }),
  };
}

/** A value of the camelCase `schema` in snake_case. */
export const toSnake = (schema: TSchema, value: unknown): object =>
  convert(schema as SchemaNode, value, "to") as object;

/**
 * Params, query or body of a v2 request as the endpoint's handler reads them. Only what `v2` declares is taken:
 * nothing else was validated.
 */
export function fromV2<T>(schema: TSchema, v2: TSchema, value: unknown): T {
  const declared = (v2 as SchemaNode).properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, node] of Object.entries((schema as SchemaNode).properties ?? {})) {
    const word = V2_WORDS.get(name);
    const from = word !== undefined && word in declared ? word : snakeName(name);
    const found = from in declared ? (value as Record<string, unknown>)[from] : undefined;
    if (found !== undefined) result[name] = convert(node, chosenIn(node, found), "from");
  }
  return result as T;
}

/** What was chosen by a name in snake_case, by its own. */
const chosenIn = ({ enum: choices }: SchemaNode, value: unknown): unknown =>
  choices?.find((choice) => typeof choice === "string" && snakeName(choice) === value) ?? value;

/** A field that a schema declares. */
interface Field {
  camel: string;
  snake: string;
  schema: SchemaNode;
}

type Given = Record<string, unknown>;

/** What there is to rename in values of a schema. */
interface Shape {
  fields: readonly Field[];
  /** A value with these fields in snake_case. */
  toSnake(value: Given): Given;
  /** Of what stands under keys that are data. */
  values: SchemaNode | undefined;
}

/** Of each schema that was met: ten thousand items of a list have the same. */
const shapes = new WeakMap<SchemaNode, Shape>();

function shapeOf(schema: SchemaNode): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const properties =
    schema.properties ?? Object.assign({}, ...(schema.oneOf ?? []).map((one) => one.properties));
  const fields = Object.entries(properties as Record<string, SchemaNode>).map(([camel, node]) => ({
    camel,
    snake: snakeName(camel),
    schema: node,
  }));
  const [values] = Object.values(schema.patternProperties ?? {});
  // Of a value that is one of several, not every field is there, and none may be put there as undefined.
  const isOneOfSeveral = schema.properties === undefined;
  const toSnake = isOneOfSeveral ? (value: Given) => renamed(fields, value, "to") : compileRenaming(fields);
  const shape = { fields, values, toSnake };
  shapes.set(schema, shape);
  return shape;
}

/**
 * The function that puts a value's fields into snake_case, compiled as an object literal: to set them one by one, under
 * names that only a loop knows, took a fifth of the time of a list. All that gets into the code are names of our schemas.
 */
function compileRenaming(fields: readonly Field[]): Shape["toSnake"] {
  const entries = fields.map(({ camel, snake, schema }, at) => {
    const value = `value[${JSON.stringify(camel)}]`;
    return `${JSON.stringify(snake)}: ${isPlain(schema) ? value : `inner(fields[${at}].schema, ${value})`}`;
  });
  const inner = (schema: SchemaNode, value: unknown) => convert(schema, value, "to");
  // oxlint-disable-next-line typescript/no-implied-eval -- of names in our schemas alone, quoted
  return new Function("fields", "inner", `return (value) => ({ ${entries.join(", ")} });`)(fields, inner);
}

/** Whether nothing in values of this schema has a name. */
const isPlain = ({ properties, patternProperties, items, oneOf }: SchemaNode): boolean =>
  !properties && !patternProperties && !oneOf && (!items || isPlain(items));

type Way = "to" | "from";

function convert(schema: SchemaNode, value: unknown, way: Way): unknown {
  // Most values: looking here is cheaper than anything that follows.
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items && value.length > 0 ? value.map((item) => convert(items, item, way)) : value;
  }
  const { fields, values, toSnake: rename } = shapeOf(schema);
  const given = value as Given;
  if (values) return mapEntries(given, (key, item) => [key, convert(values, item, way)]);
  if (fields.length === 0) return value;
  return way === "to" ? rename(given) : renamed(fields, given, way);
}

function renamed(fields: readonly Field[], value: Given, way: Way): Given {
  const result: Given = {};
  for (const { camel, snake, schema } of fields) {
    const found = value[way === "to" ? camel : snake];
    if (found !== undefined) result[way === "to" ? snake : camel] = convert(schema, found, way);
  }
  return result;
}
