import {
  choicesOf,
  type FieldSchema,
  isShown,
  itemProperties,
  type Kind,
  kindOf,
  scalarTypesOf,
  variantName,
  variantsOf,
} from "./schema.ts";

/** A field's value while it is edited; numbers are the text that was typed. */
export type Draft = string | boolean | readonly string[] | readonly Row[] | readonly Item[] | Scalar | Drafts;
export interface Drafts {
  readonly [name: string]: Draft;
}

/** A line of a record. `isStored`: a value is stored that is not shown; it stays while `value` is empty. */
export interface Row {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  readonly isStored: boolean;
}

export interface Item {
  readonly id: number;
  readonly variant: string;
  readonly fields: Drafts;
}

/** A value whose type is chosen beside it. */
export interface Scalar {
  readonly scalar: string;
  readonly text: string;
}

let lastId = 0;
/** Names a line or an item for as long as it is on the page. */
export const nextId = (): number => ++lastId;

type Values = Readonly<Record<string, unknown>>;

/** The drafts of an object's properties; what `values` lacks starts as is usual, or empty. */
export function draftsOf(schema: FieldSchema, values: Values): Drafts {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, one]) => [name, draftOf(one, values[name])]),
  );
}

/** The draft of a value of the API; of the usual one for undefined. */
function draftOf(schema: FieldSchema, given: unknown): Draft {
  const value = given === undefined ? schema["x-usual"] : given;
  const kind = kindOf(schema);
  return kind ? startingDrafts[kind](schema, value) : "";
}

/** A text, number or yes-or-no as text. */
const asText = (value: unknown): string =>
  typeof value === "object" || value === undefined ? "" : String(value as string | number | boolean);
const texts = (_schema: FieldSchema, value: unknown) => (Array.isArray(value) ? value.map(asText) : []);
const text = (_schema: FieldSchema, value: unknown) => asText(value);

const startingDrafts: Record<Kind, (schema: FieldSchema, value: unknown) => Draft> = {
  text,
  longText: text,
  secret: text,
  number: text,
  switch: (_schema, value) => value === true,
  choice: (schema, value) => asText(value) || (choicesOf(schema)?.[0] ?? ""),
  choices: texts,
  words: texts,
  monitors: texts,
  record: (schema, value) => rowsOf(schema, (value ?? {}) as Values),
  variants: (schema, value) =>
    Array.isArray(value) ? value.map((item) => itemOf(schema, item as Values)) : [],
  group: (schema, value) => draftsOf(schema, (value ?? {}) as Values),
  scalar: (schema, value) => ({ scalar: scalarOf(schema, value), text: asText(value) }),
};

function rowsOf(schema: FieldSchema, values: Values): Row[] {
  return Object.entries(values).map(([name, value]) => {
    const isStored = value === schema["x-kept"];
    return { id: nextId(), name, value: isStored ? "" : asText(value), isStored };
  });
}

/** An item of a list as the API gives it; of a new one only the variant is known. */
export function itemOf(list: FieldSchema, values: Values): Item {
  const variant = asText(values[variantName(list)]);
  const properties = itemProperties(list, variantsOf(list)[variant] ?? {});
  const fields = properties.map(([name, one]) => [name, draftOf(one, values[name])]);
  return { id: nextId(), variant, fields: Object.fromEntries(fields) };
}

function scalarOf(schema: FieldSchema, value: unknown): string {
  if (value === undefined) return scalarTypesOf(schema)[0] ?? "string";
  return value === null ? "null" : typeof value;
}

/** Whether something is stored for a field that is not shown; it stays when nothing is sent. */
export type Keeps = (path: string) => boolean;

interface Place {
  path: string;
  /** The objects around the field, the nearest first. */
  scopes: readonly Drafts[];
  keeps: Keeps;
  /** The field is inside one that is only ever written. */
  writeOnly?: boolean;
  required?: boolean;
}

const numberPattern = /^[+-]?\d+(\.\d+)?$/;

/** Undefined when it is left out. What is no number stays text, so that the API and `problemsOf` can report it. */
export function valueOf(schema: FieldSchema, draft: Draft, place: Place): unknown {
  const kind = kindOf(schema);
  return kind ? values[kind](schema, draft, place) : draft;
}

const unchanged = (_schema: FieldSchema, draft: Draft) => draft;

const values: Record<Kind, (schema: FieldSchema, draft: Draft, place: Place) => unknown> = {
  text: textValue,
  longText: textValue,
  secret: textValue,
  number: (_schema, draft) => toNumber(draft as string),
  switch: unchanged,
  choice: unchanged,
  choices: unchanged,
  words: unchanged,
  monitors: unchanged,
  record: (schema, draft) => recordValue(schema, draft as readonly Row[]),
  variants: (schema, draft, place) =>
    (draft as readonly Item[]).map((item, at) =>
      itemValue(schema, item, { ...place, path: `${place.path}.${at}` }),
    ),
  group: (schema, draft, place) => groupValue(schema, draft as Drafts, place),
  scalar: (_schema, draft) => scalarValue(draft as Scalar),
};

/** Empty, it is left out, unless it must be there, or belongs to secrets of which none is stored. */
function textValue(_schema: FieldSchema, draft: Draft, place: Place): unknown {
  if (draft !== "" || place.required) return draft;
  return place.writeOnly && !place.keeps(place.path) ? draft : undefined;
}

/** The decimal sign of the reader's language; elsewhere a comma separates thousands. */
function decimalMark(): string {
  const language = typeof document === "undefined" ? "en" : document.documentElement.lang || "en";
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

function toNumber(typed: string): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  const plain = decimalMark() === "," ? text.replace(",", ".") : text;
  return numberPattern.test(plain) ? Number(plain) : text;
}

/** Lines without a name and a value are not meant. */
function recordValue(schema: FieldSchema, rows: readonly Row[]): Record<string, string> {
  const meant = rows.filter(({ name, value, isStored }) => name.trim() !== "" || value !== "" || isStored);
  const entries = meant.map(({ name, value, isStored }) => {
    const stays = isStored && value === "";
    return [name.trim(), stays ? (schema["x-kept"] ?? "") : value];
  });
  return Object.fromEntries(entries);
}

function itemValue(list: FieldSchema, item: Item, place: Place): Record<string, unknown> {
  const schema = variantsOf(list)[item.variant] ?? {};
  const values = objectValue(schema, itemProperties(list, schema), item.fields, place);
  return { [variantName(list)]: item.variant, ...values };
}

function groupValue(schema: FieldSchema, drafts: Drafts, place: Place): unknown {
  const inside = { ...place, writeOnly: schema.writeOnly === true || place.writeOnly === true };
  const value = objectValue(schema, Object.entries(schema.properties ?? {}), drafts, inside);
  return Object.keys(value).length > 0 ? value : undefined;
}

function objectValue(
  schema: FieldSchema,
  properties: readonly [string, FieldSchema][],
  drafts: Drafts,
  place: Place,
): Record<string, unknown> {
  const scopes = [drafts, ...place.scopes];
  const values: Record<string, unknown> = {};
  for (const [name, one] of properties) {
    const draft = drafts[name];
    if (draft === undefined || !isShown(one, scopes)) continue;
    const required = schema.required?.includes(name) === true;
    const value = valueOf(one, draft, { ...place, scopes, path: `${place.path}.${name}`, required });
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function scalarValue({ scalar, text }: Scalar): unknown {
  if (scalar === "null") return null;
  if (scalar === "boolean") return text === "true";
  return scalar === "number" ? toNumber(text) : text;
}
