import { snakeName } from "../../../src/platform/operations/snake-case.ts";

const FIELDS = {
  name: "Mine now",
  tenantId: "11111111-2222-4333-8444-555555555555",
  clientId: "app-1",
  clientSecret: "open-sesame",
  subscriptionId: "66666666-7777-4888-9999-000000000000",
  url: "http://127.0.0.1:1/",
  apiKey: "open-sesame",
  code: "c0de",
  state: "anything",
  provider: "github",
  status: "succeeded",
};

/** What a route of integrations and deployments takes, in the words of its family. */
export function integrationBody(schema: object): object {
  const { properties = {} } = (schema as { body?: { properties?: object } }).body ?? {};
  const known = Object.entries(FIELDS).flatMap(([name, value]) =>
    [...new Set([name, snakeName(name)])].map((field) => [field, value] as const),
  );
  return Object.fromEntries(known.filter(([name]) => name in properties));
}
