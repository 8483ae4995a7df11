import { type TSchema, Type } from "typebox";
import type { Caller } from "../../platform/access/caller.ts";
import { writerOf } from "../../platform/http/answer.ts";
import type { RouteLimit } from "../../platform/http/route.ts";
import type { Access, Calling } from "../../platform/operations/operation.ts";

export type ToolContext = Calling & { caller: Caller };

export interface ToolCall {
  ctx: ToolContext;
  input: Record<string, unknown>;
  organizations: string[];
}

/** MCP 2025-11-25, ToolAnnotations. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A verb, or several combined by the specification. */
export interface VerbTool {
  name: string;
  title: string;
  description: string;
  input: TSchema;
  /** An object. */
  output: TSchema;
  annotations: Annotations;
  /** Permissions that its verbs require; it is listed for callers who have all of them somewhere. */
  needs: Access[];
  limit: RouteLimit;
  page?: string;
  /** The subject: named by the input, created, or each of a list. Absent: none. */
  item?: "given" | "made" | "listed";
  run(call: ToolCall): Promise<Record<string, unknown>>;
  /** Destructive: MCP clients confirm by a second call. */
  isConfirmed: boolean;
  /** For tools that change something or reach outside: the subject. Throws for callers who may not do it. */
  preview?(call: ToolCall): Promise<unknown>;
}

/** The formats of JSON Schema 2020-12; clients warn of others. */
const KNOWN_FORMATS = ["date-time", "date", "time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];
const ONE = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const LISTED = ["oneOf", "anyOf", "allOf", "prefixItems"];
const NAMED = ["properties", "patternProperties", "$defs"];
/** Not for models: these would fill a context window. */
const DROPPED = ["title", "examples", "discriminator"];

const ORGANIZATION = Type.Optional(
  Type.Unsafe<string | number>({
    type: ["string", "integer"],
    description: "Id, uuid or slug of one of the person's organizations. Default: that of the API key.",
  }),
);
const CONFIRMATION = Type.Optional(
  Type.String({
    description:
      "From the answer to the same call without it: repeat the call with it once the person has agreed.",
  }),
);

type Node = Record<string, unknown>;

interface Shape {
  properties?: Record<string, TSchema & { default?: unknown }>;
  required?: string[];
}

export const fieldsOf = (schema: TSchema): NonNullable<Shape["properties"]> =>
  (schema as Shape).properties ?? {};

export function toolInput(
  input: TSchema,
  { takesOrganization, isConfirmed }: { takesOrganization: boolean; isConfirmed: boolean },
): TSchema {
  const { required = [] } = input as Shape;
  const fields = {
    ...fieldsOf(input),
    ...(takesOrganization && { organizationId: ORGANIZATION }),
    ...(isConfirmed && { confirmationToken: CONFIRMATION }),
  };
  const mandatory = required.filter((name) => (fields as Shape["properties"])?.[name]?.default === undefined);
  return Type.Unsafe({ ...input, type: "object", properties: fields, required: mandatory });
}

/** Sentences come with message descriptors, for clients in other languages. */
const MESSAGE_FIELD = /^fact$|Facts?$/;
/** One per schema, so that its serializer is made once. */
const shapes = new WeakMap<TSchema, TSchema>();

/** Without what assistants do not need, so that values become shorter. */
export function withoutMessages(schema: TSchema): TSchema {
  const shape = shapes.get(schema) ?? makeWithoutMessages(schema);
  shapes.set(schema, shape);
  return shape;
}

function makeWithoutMessages(schema: TSchema): TSchema {
  const node = schema as Node;
  const entries = Object.entries(node).map(([name, value]) => {
    if (value === null || typeof value !== "object") return [name, value];
    if (name === "required") return [name, (value as string[]).filter((field) => !MESSAGE_FIELD.test(field))];
    if (ONE.includes(name)) return [name, withoutMessages(value as TSchema)];
    if (LISTED.includes(name)) return [name, (value as TSchema[]).map(withoutMessages)];
    if (!NAMED.includes(name)) return [name, value];
    const fields = Object.entries(value as Record<string, TSchema>);
    return [
      name,
      Object.fromEntries(
        fields
          .filter(([field]) => !MESSAGE_FIELD.test(field))
          .map(([field, own]) => [field, withoutMessages(own)]),
      ),
    ];
  });
  return Type.Unsafe(Object.fromEntries(entries) as object);
}

/** Deeper levels explain themselves in the answer. */
const SCHEMA_DEPTH = 4;

interface Telling {
  words: boolean;
  depth: number;
}

/** Plain JSON Schema with standard formats. */
export const toInputSchema = (schema: TSchema): Node =>
  toJsonSchema(schema as Node, { words: true, depth: Number.POSITIVE_INFINITY });

/** For programs: without descriptions, which would fill a context window. */
export const toOutputSchema = (schema: TSchema): Node =>
  toJsonSchema(schema as Node, { words: false, depth: SCHEMA_DEPTH });

function toJsonSchema(schema: Node, how: Telling): Node {
  const { words, depth } = how;
  if (depth === 0) return schema["type"] === undefined ? {} : { type: schema["type"] };
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || DROPPED.includes(name) || /^[x~]/.test(name)) return [];
    if (name === "description" && !words) return [];
    if (name === "format") return KNOWN_FORMATS.includes(value as string) ? [[name, value]] : [];
    if (name === "required") return (value as unknown[]).length > 0 ? [[name, value]] : [];
    return [[name, toSchemaPart(name, value, how)]];
  });
  return Object.fromEntries(entries);
}

function toSchemaPart(keyword: string, value: unknown, how: Telling): unknown {
  if (value === null || typeof value !== "object") return value;
  if (ONE.includes(keyword)) return toJsonSchema(value as Node, how);
  if (LISTED.includes(keyword)) return (value as Node[]).map((node) => toJsonSchema(node, how));
  if (!NAMED.includes(keyword)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Node>).map(([name, node]) => [
      name,
      toJsonSchema(node, { ...how, depth: how.depth - 1 }),
    ]),
  );
}

/** JSON of what the schema declares, without message descriptors. */
export const visibleValue = <T>(schema: TSchema, value: unknown): T =>
  JSON.parse(writerOf(withoutMessages(schema))(value)) as T;
