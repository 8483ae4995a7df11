import { Type } from "typebox";
import { LegacyApiKey, LegacyApiKeyBody, LegacyCreatedApiKey } from "../legacy/api-keys.ts";
import { snakeSchema } from "./snake-case.ts";

export const V2ApiKey = snakeSchema(LegacyApiKey);
export const V2CreatedApiKey = snakeSchema(LegacyCreatedApiKey);

const { name, scopes, expiresAt, allOrganizations } = LegacyApiKeyBody.properties;
export const V2ApiKeyBody = Type.Object(
  {
    ...{ name, scopes, expires_at: expiresAt, all_organizations: allOrganizations },
  },
  { title: "V2NewApiKey" },
);
