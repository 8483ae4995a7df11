/** Fields that hold what lets somebody in. */
const SECRET = /(?:token|secret|password)$/i;
/** Shorter ones would be found in other words. */
const LEAST_LENGTH = 8;
const INSTEAD = "(secret: people find it in the app, or make a new one there)";

/**
 * A tool's answer without what lets somebody in, for a model that runs elsewhere and whose results are kept as text: a page's title
 * may have asked for it. Addresses and commands that hold a secret lose it as well.
 */
export function withoutSecrets(value: Record<string, unknown>): Record<string, unknown> {
  const secrets = new Set<string>();
  const masked = JSON.stringify(value, (name, own: unknown) => {
    if (typeof own !== "string" || own === "" || !SECRET.test(name)) return own;
    if (own.length >= LEAST_LENGTH) secrets.add(own);
    return INSTEAD;
  });
  if (secrets.size === 0) return JSON.parse(masked) as Record<string, unknown>;
  return JSON.parse(masked, (_name, own: unknown) =>
    typeof own === "string"
      ? [...secrets].reduce((text, secret) => text.replaceAll(secret, () => INSTEAD), own)
      : own,
  ) as Record<string, unknown>;
}
