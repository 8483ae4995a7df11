/**
 * Of a JSON schema as TypeBox writes it, with hints of the API (docs/api.md): `x-usual`: what holds where
 * nothing is sent; `x-when`: choices of other fields under which it applies; `x-kept`: placeholder of a
 * stored value that is never shown.
 */
export interface FieldSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly FieldSchema[];
  oneOf?: readonly FieldSchema[];
  discriminator?: { propertyName: string };
  properties?: Readonly<Record<string, FieldSchema>>;
  patternProperties?: Readonly<Record<string, FieldSchema>>;
  required?: readonly string[];
  items?: FieldSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  writeOnly?: boolean;
  examples?: readonly unknown[];
  "x-usual"?: unknown;
  "x-when"?: Readonly<Record<string, readonly (string | boolean)[]>>;
  "x-kept"?: string;
  /** What the texts of a list are uuids of. */
  "x-refers"?: "monitors";
  /** Of which kinds these monitors can be; undefined: of all. */
  "x-kinds"?: readonly string[];
  /** What people read for the choices of `enum`, where a form knows better than the API. */
  "x-names"?: Readonly<Record<string, string>>;
}

/** What the reader works a field with; SchemaField.tsx has a component for each. */
export type Kind =
  | "text"
  | "longText"
  | "secret"
  | "number"
  | "switch"
  | "choice"
  | "choices"
  | "words"
  | "monitors"
  | "record"
  | "variants"
  | "group"
  | "scalar";

/** From this length on a text has several lines. */
const longTextLength = 10_000;

const hasLineBreak = (example: unknown): boolean => typeof example === "string" && example.includes("\n");

/** The kind of a field; null for a schema that no form can show. */
export function kindOf(schema: FieldSchema): Kind | null {
  if (choicesOf(schema)) return "choice";
  if (schema.anyOf) return schema.anyOf.every((one) => scalarType(one)) ? "scalar" : null;
  return typeof schema.type === "string" ? (kindByType[schema.type]?.(schema) ?? null) : null;
}

const kindByType: Record<string, (schema: FieldSchema) => Kind | null> = {
  boolean: () => "switch",
  integer: () => "number",
  number: () => "number",
  string: ({ format, maxLength = 0, examples = [] }) => {
    if (format === "password") return "secret";
    return maxLength >= longTextLength || examples.some(hasLineBreak) ? "longText" : "text";
  },
  array: ({ items = {}, "x-refers": refers }) => refers ?? arrayKind(items),
  object: ({ patternProperties, properties }) => {
    if (patternProperties) return "record";
    return properties ? "group" : null;
  },
};

function arrayKind(items: FieldSchema): Kind | null {
  if (items.oneOf && items.discriminator) return "variants";
  if (items.type !== "string") return null;
  return items.enum ? "choices" : "words";
}

/** The values that a field is restricted to; null when it is not. */
export function choicesOf(schema: FieldSchema): string[] | null {
  if (schema.enum) return schema.enum.map(String);
  const all = schema.anyOf ?? [];
  return all.length > 0 && all.every((one) => one.const !== undefined)
    ? all.map((one) => String(one.const))
    : null;
}

const scalarTypes = ["string", "number", "boolean", "null"];
const scalarType = (schema: FieldSchema): string | undefined =>
  scalarTypes.find((type) => type === schema.type);

/** The types that a field of kind `scalar` may have. */
export const scalarTypesOf = (schema: FieldSchema): string[] =>
  (schema.anyOf ?? []).flatMap((one) => scalarType(one) ?? []);

/** The kinds of item that a field of kind `variants` holds, by the value that distinguishes them. */
export function variantsOf(schema: FieldSchema): Record<string, FieldSchema> {
  const { oneOf = [], discriminator } = schema.items ?? {};
  const name = discriminator?.propertyName ?? "";
  return Object.fromEntries(oneOf.map((one) => [String(one.properties?.[name]?.const), one]));
}

/** The property whose value distinguishes the kinds of item. */
export const variantName = (schema: FieldSchema): string =>
  schema.items?.discriminator?.propertyName ?? "type";

/** The properties of an item that the form shows: all but the discriminant. */
export const itemProperties = (list: FieldSchema, item: FieldSchema): [string, FieldSchema][] =>
  Object.entries(item.properties ?? {}).filter(([name]) => name !== variantName(list));

export function recordOf(schema: FieldSchema): { pattern: string; value: FieldSchema } {
  const [[pattern, value] = ["", {}]] = Object.entries(schema.patternProperties ?? {});
  return { pattern, value };
}

/**
 * `scopes`: the drafts of the objects around it, the nearest first; a condition on an unknown field hides
 * nothing.
 */
export function isShown(schema: FieldSchema, scopes: readonly Readonly<Record<string, unknown>>[]): boolean {
  return Object.entries(schema["x-when"] ?? {}).every(([name, values]) => {
    const scope = scopes.find((one) => name in one);
    // A choice is a text in the form, a switch true or false.
    return scope === undefined || values.some((value) => String(value) === String(scope[name]));
  });
}
