import { type TSchema, Type } from "typebox";

/** What JSON Schema 2020-12 knows by itself; clients warn of others. */
const KNOWN_FORMATS = ["date-time", "date", "time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const LISTED = ["oneOf", "anyOf", "allOf", "prefixItems"];
const NAMED = ["properties", "patternProperties", "$defs"];
/** Read by programs, or by nobody: they would fill a context window. */
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

/** The fields of an object's schema. */
export const fieldsOf = (schema: TSchema): NonNullable<Shape["properties"]> =>
  (schema as Shape).properties ?? {};

/** What a tool takes: its verb's input, and what every tool of its kind takes. */
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
  // What has a default need not be given.
  const asked = required.filter((name) => (fields as Shape["properties"])?.[name]?.default === undefined);
  return Type.Unsafe({ ...input, type: "object", properties: fields, required: asked });
}

/** A schema as clients are told it: plain JSON Schema, with the formats that they know; `words`: with descriptions. */
export const toldSchema = (schema: TSchema, { words }: { words: boolean }): Node => told(schema as Node, words);

function told(schema: Node, words: boolean): Node {
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || DROPPED.includes(name) || /^[x~]/.test(name)) return [];
    if (name === "description" && !words) return [];
    if (name === "format") return KNOWN_FORMATS.includes(String(value)) ? [[name, value]] : [];
    if (name === "required") return (value as unknown[]).length > 0 ? [[name, value]] : [];
    return [[name, toldPart(name, value, words)]];
  });
  return Object.fromEntries(entries);
}

function toldPart(keyword: string, value: unknown, words: boolean): unknown {
  if (value === null || typeof value !== "object") return value;
  if (ONE.includes(keyword)) return told(value as Node, words);
  if (LISTED.includes(keyword)) return (value as Node[]).map((node) => told(node, words));
  if (!NAMED.includes(keyword)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Node>).map(([name, node]) => [name, told(node, words)]),
  );
}
