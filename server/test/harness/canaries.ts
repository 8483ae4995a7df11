import { type CheckType, checkKinds } from "../../src/checks/registry.ts";
import type { SecretHint } from "../../src/platform/secrets/config-secrets.ts";

type Hint = SecretHint["x-secret"];

interface Field extends Partial<SecretHint> {
  type?: string;
  properties?: Record<string, unknown>;
}

/** A secret for each of those who may see one again, long enough that nothing says it by chance. */
export const CANARIES: Readonly<Record<Hint, string>> = {
  hidden: "open-sesame-hidden-7f3a-1",
  changers: "open-sesame-changers-7f3a-2",
  headers: "open-sesame-headers-7f3a-3",
};

const fieldsOf = (type: CheckType) =>
  (checkKinds[type].configSchema as unknown as { properties: Record<string, Field> }).properties;

/** What fills a field that may hold a secret, in the form that it has. */
function filled({ type, properties, "x-secret": hint }: Field): unknown {
  const canary = CANARIES[hint as Hint];
  if (properties !== undefined) return { token: canary };
  return type === "object" ? { "x-key": canary, "x-said": CANARIES.changers } : canary;
}

/** The part of a kind's configuration which may hold secrets, with a canary in each; null where it has none. */
export function withCanaries(type: CheckType): Record<string, unknown> | null {
  const fields = fieldsOf(type);
  const secrets = Object.entries(fields).filter(([, field]) => field["x-secret"] !== undefined);
  if (secrets.length === 0) return null;
  const canaries = Object.fromEntries(secrets.map(([name, field]) => [name, filled(field)]));
  // Without a user some kinds send no password, and a token belongs to a way to show it.
  return {
    ...("user" in fields && { user: "watch" }),
    ...("authConfig" in fields && { authType: "bearer" }),
    ...canaries,
  };
}

/** The forms in which a text goes over wires and into files. */
export const formsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString("base64"),
  Buffer.from(text).toString("hex"),
  encodeURIComponent(text),
];
