import { type TSchema, Type } from "typebox";
import type { FieldErrors } from "../errors.ts";
import type { MessageDescriptor } from "../i18n/message.ts";
import type { Word } from "./field.ts";
import { V2PageQuery } from "./paging.ts";

export interface SchemaNode {
  title?: string;
  description?: string;
  "x-when"?: Record<string, unknown>;
  required?: string[];
  enum?: unknown[];
  additionalProperties?: unknown;
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  oneOf?: SchemaNode[];
}

/** The schema with those right within it changed; everything else stays, in its order. */
function mapNodes(schema: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const { properties, patternProperties, items, oneOf } = schema;
  const changeValue = (key: string, node: SchemaNode): [string, SchemaNode] => [key, change(node)];
  return {
    ...schema,
    ...(properties && { properties: mapEntries(properties, changeValue) }),
    ...(patternProperties && { patternProperties: mapEntries(patternProperties, changeValue) }),
    ...(items && { items: change(items) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
  };
}

const nodesIn = ({ properties, patternProperties, items, oneOf }: SchemaNode): SchemaNode[] => [
  ...Object.values(properties ?? {}),
  ...Object.values(patternProperties ?? {}),
  ...(items ? [items] : []),
  ...(oneOf ?? []),
];

export function mapEntries<A, B>(
  object: Record<string, A>,
  change: (key: string, value: A) => [string, B],
): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => change(key, value)));
}

/**
 * Shapes are in camelCase; v2's are derived by their schema: names that it declares are renamed, keys that
 * are data (header names, location codes) are not.
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

export const v2Word: Word = (name) => V2_WORDS.get(name) ?? snakeName(name);

const CAMEL_NAME = /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g;

/** The schema with its names renamed, those in its texts as well, at every depth. A title gets `V2` in front. */
export function snakeSchema(schema: TSchema): TSchema {
  return Type.Unsafe(rename(schema as SchemaNode) as object);
}

/** Whether no name that the schema declares, at any depth, has two words. */
const isSameInSnake = (schema: TSchema): boolean => isSame(schema as SchemaNode);

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

interface Field {
  camel: string;
  snake: string;
  schema: SchemaNode;
}

type Given = Record<string, unknown>;

interface Shape {
  fields: readonly Field[];
  toSnake(value: Given): Given;
  /** Of what is below keys that are data. */
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
 * Compiled as an object literal: setting fields one by one took a fifth of the time of a list. The code
 * contains only names of our schemas.
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

/** Every name that these schemas declare, at any depth. */
export function declaredNames(schemas: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = schemas.filter((schema) => schema !== undefined) as SchemaNode[];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const name of Object.keys(next.properties ?? {})) names.add(name);
    waiting.push(...nodesIn(next));
  }
  return names;
}

/** Params that name fields; what fills in the others is left as people typed it. */
const FIELD_PARAMS: ReadonlySet<string> = new Set(["field", "other", "secret", "changed", "config", "type"]);

/** A message whose params name fields as legacy does, for v2: names `declared` by the endpoint become snake_case. */
export function snakeMessage(what: MessageDescriptor, declared: ReadonlySet<string>): MessageDescriptor {
  if (!what.params) return what;
  const said = ([name, value]: [string, string | number]) =>
    [
      name,
      typeof value === "string" && FIELD_PARAMS.has(name) ? snakeWords(value, declared) : value,
    ] as const;
  return { ...what, params: Object.fromEntries(Object.entries(what.params).map(said)) };
}

const snakeWords = (text: string, declared: ReadonlySet<string>): string =>
  text.replace(/\b[a-z]+[A-Z]\w*/g, (word) => (declared.has(snakeName(word)) ? snakeName(word) : word));

/** What a verb says of fields, said of v2's: every part of a path but the keys of `headers`, which are header names. */
export const snakeFields = (fields: FieldErrors, declared: ReadonlySet<string>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([path, messages]) => {
      const parts = path.split(".");
      const named = parts.map((part, at) =>
        parts[at - 1] === "headers" || declared.has(part) ? part : snakeName(part),
      );
      return [named.join("."), messages.map((what) => snakeMessage(what, declared))];
    }),
  );

/* Derived from the canonical form of an endpoint, which is in camelCase. */

/** Where v2 has it: `/api/domains/:id` is `/v2/domains/:uuid`. */
export const v2Url = (url: string): string =>
  `/v2${url.replace(/^\/api(?=\/)/, "")}`.replace(/:(\w+)/g, (_, name: string) => `:${v2Word(name)}`);

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

/** v2 takes nothing undeclared, at any depth. Legacy ignores it: its clients were written for another server. */
export const closedSchema = (schema: TSchema): TSchema => Type.Unsafe(close(schema as SchemaNode) as object);

function close(schema: SchemaNode): SchemaNode {
  const { properties, patternProperties, additionalProperties } = schema;
  const isOpen = properties && !patternProperties && additionalProperties === undefined;
  return mapNodes({ ...schema, ...(isOpen && { additionalProperties: false }) }, close);
}
