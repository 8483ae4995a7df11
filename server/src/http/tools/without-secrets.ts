import type { TSchema } from "typebox";
import { changeMarked } from "./marked-fields.ts";

/** Shorter ones would be found in other words. */
const LEAST_LENGTH = 8;
/** What stands in place of a secret. */
const SECRET = "(secret: people find it in the app, or make a new one there)";

/**
 * A tool's answer without what its schema says lets somebody in, or may (`x-secret`), for a model that runs elsewhere and whose
 * results are kept as text: a page's title may have asked for it. Addresses and commands that hold such a secret lose it as well.
 */
export function withoutSecrets(schema: TSchema, value: Record<string, unknown>): Record<string, unknown> {
  const secrets = new Set<string>();
  const masked = changeMarked({ schema, value, mark: "x-secret" }, ({ text, isOwn }) => {
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

/** Whether a model sends back what it was told in place of a secret, which would overwrite that. */
export const holdsMask = (given: object): boolean => JSON.stringify(given).includes(SECRET);
