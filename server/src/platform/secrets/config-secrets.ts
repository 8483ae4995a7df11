import type { TSchema } from "typebox";

/**
 * A field that may hold a credential is stored encrypted. `hidden`: never returned; `changers`: returned to
 * those who may change it; `headers`: values are masked one by one (monitors/stored-secrets.ts).
 */
export interface SecretHint {
  "x-secret": "hidden" | "changers" | "headers";
}

/**
 * What a change of the field means for stored credentials. `harmless`: nothing; `exposes`: others could read
 * them in transit; `origin`: of a URL only scheme, host and port count. Without: they must be sent again.
 */
export interface ChangeHint {
  "x-change": "harmless" | "exposes" | "origin";
}

/** Whatever the field says, the same credentials go to the same server. */
export const harmless: ChangeHint = { "x-change": "harmless" };

type Config = Record<string, unknown>;

const hintOf = (schema: TSchema): Partial<SecretHint>["x-secret"] =>
  (schema as Partial<SecretHint>)["x-secret"];

const fieldsOf = (schema: TSchema) => (schema as { properties?: Record<string, TSchema> }).properties ?? {};

const isSecret = (schema: TSchema, name: string): boolean => {
  const field = fieldsOf(schema)[name];
  return field !== undefined && hintOf(field) !== undefined;
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** A configuration in the part that may be stored as it is and the one that must be encrypted. What is empty is left out of that. */
export function splitSecrets(schema: TSchema, config: object): { plain: Config; secret: Config } {
  const entries = Object.entries(config);
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !isSecret(schema, name))),
    secret: Object.fromEntries(entries.filter(([name, value]) => isSecret(schema, name) && !isEmpty(value))),
  };
}

const hasHint = (schema: TSchema, name: string, hint: SecretHint["x-secret"]): boolean => {
  const field = fieldsOf(schema)[name];
  return field !== undefined && hintOf(field) === hint;
};

/** Whether a secret is lost where the configuration is replaced and it is not sent again. */
export const losesSecrets = (schema: TSchema): boolean =>
  Object.keys(fieldsOf(schema)).some((name) => isSecret(schema, name) && !hasHint(schema, name, "hidden"));

export const headerFields = (schema: TSchema): string[] =>
  Object.keys(fieldsOf(schema)).filter((name) => hasHint(schema, name, "headers"));

export const withoutHidden = <T extends object>(schema: TSchema, config: T): Partial<T> =>
  pick(config, (name) => !hasHint(schema, name, "hidden"));

export const forReaders = <T extends object>(schema: TSchema, config: T): Partial<T> =>
  pick(config, (name) => !hasHint(schema, name, "changers"));

export const changersOnly = <T extends object>(schema: TSchema, config: T): Partial<T> =>
  pick(config, (name) => hasHint(schema, name, "changers"));

export const hiddenFields = <T extends object>(schema: TSchema, config: T): Partial<T> =>
  pick(config, (name) => hasHint(schema, name, "hidden"));

type DecisiveField = TSchema & { default?: unknown } & Partial<ChangeHint>;

/** The fields whose change may concern stored credentials, by what they do to them; secrets themselves are none. */
export function decisiveFields(schema: TSchema): Record<"moves" | "exposes", string[]> {
  const fields: Record<"moves" | "exposes", string[]> = { moves: [], exposes: [] };
  for (const [name, field] of Object.entries(fieldsOf(schema) as Record<string, DecisiveField>)) {
    const isSent = hasHint(schema, name, "hidden") || hasHint(schema, name, "headers");
    if (isSent || field["x-change"] === "harmless") continue;
    fields[field["x-change"] === "exposes" ? "exposes" : "moves"].push(name);
  }
  return fields;
}

/** Fields by which a change would use stored credentials otherwise. A missing field counts by its default. */
export function decisiveChanges(schema: TSchema, before: object, after: object): string[] {
  const { moves, exposes } = decisiveFields(schema);
  const valueIn = (config: object, name: string): unknown => {
    const { default: usual, "x-change": hint } = fieldsOf(schema)[name] as DecisiveField;
    const { [name]: value = usual } = config as Config;
    return hint === "origin" ? (URL.parse(String(value))?.origin ?? value) : value;
  };
  return [
    ...moves.filter((name) => !isSameJson(valueIn(before, name), valueIn(after, name))),
    ...exposes.filter((name) => valueIn(after, name) === true && valueIn(before, name) !== true),
  ];
}

/** Whether two values of a configuration are the same, whatever the order of names. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSameJson((one as Config)[name], (other as Config)[name]),
    )
  );
}

const pick = <T extends object>(config: T, isWanted: (name: string) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(config).filter(([name]) => isWanted(name))) as Partial<T>;
