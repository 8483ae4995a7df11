import type { TSchema } from "typebox";
import { changeMarked, type SchemaNode } from "./marked-fields.ts";

/** Shorter ones would be found in other words. */
const LEAST_LENGTH = 8;
/** What stands in place of a secret. */
const SECRET = "(secret: people find it in the app, or make a new one there)";

/** A field that lets somebody in, or may. */
const isSecret = (node: SchemaNode): boolean =>
  node["x-secret"] !== undefined || node.writeOnly === true || node.format === "password";

/**
 * A tool's answer without what its schema says lets somebody in, or may (`x-secret`), for a model that runs elsewhere and whose
 * results are kept as text: a page's title may have asked for it. Addresses and commands that hold such a secret lose it as well.
 */
export function withoutSecrets(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const secrets = new Set<string>();
  const masked = changeMarked({ schema, value, isMarked: isSecret }, ({ text, isOwn }) => {
    if (isOwn && text.length >= LEAST_LENGTH) secrets.add(text);
    return SECRET;
  }) as Record<string, unknown>;
  if (secrets.size === 0) return masked;
  return JSON.parse(JSON.stringify(masked), (_name, own: unknown) =>
    typeof own === "string"
      ? [...secrets].reduce((text, secret) => text.replaceAll(secret, () => SECRET), own)
      : own,
  ) as Record<string, unknown>;
}

/**
 * Which of a call's arguments a model may not give, by name: calls are kept and shown again, where secrets are neither; and what a
 * model was told in place of a secret would overwrite that.
 */
export function secretArguments(schema: TSchema, given: object): string[] {
  const found = new Set<string>();
  const isMask = (text: string) => text.includes(SECRET);
  changeMarked({ schema, value: given, isMarked: isSecret }, ({ text, at }) => {
    found.add(at);
    return text;
  });
  for (const [name, value] of Object.entries(given)) if (isMask(JSON.stringify(value))) found.add(name);
  return [...found];
}

/** Whether a tool cannot be called without a secret. */
export function needsSecret(schema: TSchema): boolean {
  const { required = [], properties = {} } = schema as SchemaNode & { required?: string[] };
  return required.some((name) => properties[name] !== undefined && isSecret(properties[name]));
}
