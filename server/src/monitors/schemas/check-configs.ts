import { type TSchema, Type } from "typebox";
import type { CheckKind, KindDefaults, Phase } from "../../checks/check.ts";
import { checkKinds } from "../../checks/registry.ts";
import { capital } from "../../platform/operations/field.ts";
import { checkFields, urlField } from "./domain-input.ts";
import { configField } from "./monitor-input.ts";

type Fields = Record<string, TSchema>;

/** The configuration of one kind of check as the API takes it. */
export interface CheckConfig {
  type: string;
  fields: Fields;
  /** Without those that are required. */
  schema: TSchema;
  /** What a new monitor has otherwise than most. */
  defaults: KindDefaults;
}

/** The older API names an HTTP service by the parts of its URL. */
const urlParts = {
  host: Type.String({
    format: "host",
    maxLength: 255,
    description: "Instead of `url`, with `port` and `path`.",
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: "With `host`. https for 443, 8443 and where it is left out, else http.",
  }),
  path: Type.String({ maxLength: 2048, description: "With `host`. Default: /." }),
};

/** Kinds of which the API words fields otherwise than their config schemas. */
const OWN_FIELDS: Readonly<Record<string, { fields: Fields; required: string[] }>> = {
  http: { fields: { url: urlField, ...urlParts, ...checkFields }, required: [] },
};

function describe({ type, phases, configSchema, defaults = {} }: CheckKind): CheckConfig {
  const { properties, required = [], description } = configSchema as unknown as Described;
  const own = OWN_FIELDS[type] ?? { fields: inApi(properties), required };
  const schema = Type.Unsafe<object>({
    type: "object",
    title: `${capital(type)}Config`,
    description: `${description} ${phasesSentence(phases)}`,
    properties: own.fields,
    ...(own.required.length > 0 && { required: own.required }),
  });
  return { type, fields: own.fields, schema, defaults };
}

interface Described {
  properties: Fields;
  required?: string[];
  description: string;
}

/** What a check of a kind measures, in the API's words. */
export const phasesSentence = (phases: readonly Phase[]): string =>
  phases.length === 0
    ? "Measures no response time."
    : `Measures the phases ${phases.map((phase) => `\`${phase}\``).join(", ")}.`;

const inApi = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, configField(schema)]));

function mergeAll(all: readonly Fields[]): Fields {
  const merged: Fields = {};
  for (const [name, schema] of all.flatMap((fields) => Object.entries(fields))) {
    const known = merged[name];
    merged[name] = known === undefined ? schema : common(known, schema);
  }
  return merged;
}

/** What both schemas say alike; what they are about in the words of the second, which are a protocol's own. */
function common(one: TSchema, other: TSchema): TSchema {
  const said = other as Record<string, unknown>;
  const alike = Object.entries(one).filter(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(said[key]),
  );
  const [values, otherValues] = [valuesOf(one), valuesOf(other)];
  return Type.Unsafe({
    ...Object.fromEntries(alike),
    ...(values && otherValues && { additionalProperties: common(values, otherValues) }),
    ...(said.description !== undefined && { description: said.description }),
  });
}

/** What the values of a record are, whatever their names; undefined for what is none. */
function valuesOf(schema: TSchema): TSchema | undefined {
  const { patternProperties = {}, additionalProperties } = schema as {
    patternProperties?: Fields;
    additionalProperties?: TSchema | boolean;
  };
  return typeof additionalProperties === "object"
    ? additionalProperties
    : Object.values(patternProperties)[0];
}

export const CHECK_CONFIGS: readonly CheckConfig[] = Object.values(checkKinds).map(describe);

/** Every field that some kind has, with what all of them say that have it: for where the kind is known only to the store. */
export const anyCheckFields: Fields = mergeAll(CHECK_CONFIGS.map(({ fields }) => fields));
