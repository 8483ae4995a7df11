import { checkKinds } from "../../src/check/registry.ts";
import { CHECK_CONFIGS } from "../../src/wire/check-configs.ts";

/** A field of a configuration as the API's schema describes it. */
export interface Field {
  type?: string;
  examples?: unknown[];
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  writeOnly?: boolean;
  format?: string;
}

/** A value that the field takes. */
const sampleOf = ({ type, examples, minimum = 1 }: Field): unknown =>
  examples?.[0] ?? (type === "integer" ? minimum : "sample");

/** What each kind in the registry needs at least, made from its schema: a new kind is tried by itself. */
export const KINDS = CHECK_CONFIGS.map(({ type, fields }) => {
  const kind = checkKinds[type as keyof typeof checkKinds];
  const { required = [] } = kind.configSchema as unknown as { required?: string[] };
  const known = fields as Record<string, Field>;
  const config = Object.fromEntries(required.map((name) => [name, sampleOf(known[name] as Field)]));
  const secrets = Object.entries(known).filter(([, field]) => field.writeOnly && field.type === "string");
  return { type, required, config, fields: known, secrets: secrets.map(([name]) => name) };
});
