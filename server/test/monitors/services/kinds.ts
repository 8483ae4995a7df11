import { checkKinds } from "../../../src/checks/registry.ts";
import { CHECK_CONFIGS } from "../../../src/monitors/schemas/check-configs.ts";
import type { TestServer } from "../../harness/server.ts";
import { makeDomain } from "../domains/factories.ts";

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
  "x-refers"?: "monitors";
}

/** A value that the field takes. */
const sampleOf = ({ type, examples, minimum = 1, "x-refers": refers }: Field): unknown => {
  if (refers) return ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"];
  return examples?.[0] ?? (type === "integer" ? minimum : "sample");
};

/** What each kind in the registry needs at least, made from its schema: a new kind is tried by itself. */
export const KINDS = CHECK_CONFIGS.map(({ type, fields }) => {
  const kind = checkKinds[type as keyof typeof checkKinds];
  const { required = [] } = kind.configSchema as unknown as { required?: string[] };
  const known = fields as Record<string, Field>;
  const config = Object.fromEntries(required.map((name) => [name, sampleOf(known[name] as Field)]));
  const secrets = Object.entries(known).filter(([, field]) => field.writeOnly && field.type === "string");
  return { type, required, config, fields: known, secrets: secrets.map(([name]) => name) };
});

/** What a kind needs at least, where it names monitors with one that the server has. */
export async function configOn(server: TestServer, { config, fields }: (typeof KINDS)[number]) {
  const referring = Object.keys(config).filter((name) => fields[name]?.["x-refers"]);
  if (referring.length === 0) return config;
  const { uuid } = await makeDomain(server);
  return { ...config, ...Object.fromEntries(referring.map((name) => [name, [uuid]])) };
}
