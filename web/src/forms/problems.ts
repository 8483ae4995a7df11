import type { Drafts, Row } from "./drafts.ts";
import {
  choicesOf,
  type FieldSchema,
  type Kind,
  kindOf,
  recordOf,
  variantName,
  variantsOf,
} from "./schema.ts";

/** What can be said of a value before the API sees it; a text of `forms.problem` for each. */
export type Rule =
  | "required"
  | "integer"
  | "number"
  | "minimum"
  | "maximum"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "choice"
  | "minItems"
  | "maxItems"
  | "name"
  | "twice"
  | "stale";

/** A rule that a value breaks, and the schema's limit where there is one. */
export interface Problem {
  /** As the API names it: `assertions.1.value`. */
  path: string;
  rule: Rule;
  limit: number;
}

/** By the schema alone. Formats that only the API knows, and conditions over several fields, are left to it. */
export function problemsOf(schema: FieldSchema, body: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const one = schema.properties?.[name];
    const required = schema.required?.includes(name) === true;
    return one ? ofField(one, value, name, required) : [];
  });
}

function ofField(schema: FieldSchema, value: unknown, path: string, required = false): Problem[] {
  const broken: Broken = (rule, limit = 0) => [{ path, rule, limit }];
  const kind = kindOf(schema);
  return kind ? validators[kind]({ schema, value, path, required, broken }) : [];
}

interface ValidatedField {
  schema: FieldSchema;
  value: unknown;
  path: string;
  required: boolean;
  broken: Broken;
}

const text = ({ schema, value, required, broken }: ValidatedField) =>
  ofText(schema, value as string, required, broken);
const list = ({ schema, value, path, broken }: ValidatedField) =>
  ofList(schema, value as unknown[], path, broken);

const validators: Record<Kind, (validated: ValidatedField) => Problem[]> = {
  text,
  longText: text,
  secret: text,
  number: ({ schema, value, broken }) => ofNumber(schema, value, broken),
  switch: () => [],
  choice: ({ schema, value, broken }) =>
    choicesOf(schema)?.includes(value as string) ? [] : broken("choice"),
  choices: list,
  words: list,
  monitors: list,
  record: ({ schema, value, path }) => ofRecord(schema, value as Record<string, string>, path),
  variants: ({ schema, value, path, broken }) =>
    ofItems(schema, value as Record<string, unknown>[], path, broken),
  group: ({ schema, value, path }) => ofObject(schema, value as Record<string, unknown>, path),
  scalar: ({ schema, value, required, broken }) => {
    const one = schema.anyOf?.find(({ type }) => type === typeof value);
    return typeof value === "string" && one ? ofText(one, value, required, broken) : [];
  },
};

type Broken = (rule: Rule, limit?: number) => Problem[];

function ofNumber(schema: FieldSchema, value: unknown, broken: Broken): Problem[] {
  if (value === "") return broken("required");
  if (schema.type === "integer" && !Number.isInteger(value)) return broken("integer");
  if (typeof value !== "number") return broken("number");
  if (schema.minimum !== undefined && value < schema.minimum) return broken("minimum", schema.minimum);
  if (schema.maximum !== undefined && value > schema.maximum) return broken("maximum", schema.maximum);
  return [];
}

function ofText(schema: FieldSchema, text: string, required: boolean, broken: Broken): Problem[] {
  const length = [...text].length;
  const { minLength = 0, maxLength, pattern } = schema;
  if (text.trim() === "" && (required || minLength > 0)) return broken("required");
  if (length < minLength) return broken("minLength", minLength);
  if (maxLength !== undefined && length > maxLength) return broken("maxLength", maxLength);
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) return broken("pattern");
  return [];
}

function ofList(schema: FieldSchema, values: readonly unknown[], path: string, broken: Broken): Problem[] {
  const { minItems = 0, maxItems, items = {} } = schema;
  if (values.length < minItems) return broken("minItems", minItems);
  if (maxItems !== undefined && values.length > maxItems) return broken("maxItems", maxItems);
  return values.flatMap((value, at) => ofField(items, value, `${path}.${at}`));
}

function ofRecord(schema: FieldSchema, values: Readonly<Record<string, string>>, path: string): Problem[] {
  const { pattern, value: each } = recordOf(schema);
  const names = new RegExp(pattern, "u");
  const { maxProperties } = schema;
  if (maxProperties !== undefined && Object.keys(values).length > maxProperties) {
    return [{ path, rule: "maxItems", limit: maxProperties }];
  }
  return Object.entries(values).flatMap(([name, value]): Problem[] => {
    const at = `${path}.${name}`;
    return names.test(name) ? ofField(each, value, at) : [{ path: at, rule: "name", limit: 0 }];
  });
}

function ofItems(
  schema: FieldSchema,
  items: readonly Record<string, unknown>[],
  path: string,
  broken: Broken,
): Problem[] {
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    return broken("maxItems", schema.maxItems);
  }
  return items.flatMap((item, at) => {
    const variant = variantsOf(schema)[item[variantName(schema)] as string];
    return variant ? ofObject(variant, item, `${path}.${at}`) : [];
  });
}

function ofObject(schema: FieldSchema, values: Readonly<Record<string, unknown>>, path: string): Problem[] {
  const missing = (schema.required ?? []).filter((name) => values[name] === undefined);
  return [
    ...missing.map((name): Problem => ({ path: `${path}.${name}`, rule: "required", limit: 0 })),
    ...Object.entries(values).flatMap(([name, value]) => {
      const one = schema.properties?.[name];
      if (!one || one.const !== undefined) return [];
      return ofField(one, value, `${path}.${name}`, schema.required?.includes(name));
    }),
  ];
}

/** Duplicate names in a record: as a value of the API it could hold only one of them. */
export function repeatedNames(schema: FieldSchema, drafts: Drafts): Problem[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, one]) => {
    if (kindOf(one) !== "record") return [];
    const names = (drafts[field] as readonly Row[]).map(({ name }) => name.trim()).filter(Boolean);
    const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
    return [...repeated].map((name): Problem => ({ path: `${field}.${name}`, rule: "twice", limit: 0 }));
  });
}
