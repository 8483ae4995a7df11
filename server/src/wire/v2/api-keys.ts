import { type Static, Type } from "typebox";
import type { CreatedKey } from "../../account/create-key.ts";
import type { ApiKey } from "../../store/queries/api-keys.ts";
import { OrganizationFilter, Timestamp, timestamp, timestampOrNull } from "../field.ts";
import { KeyName, Scopes } from "../legacy/api-keys.ts";

const fields = {
  id: Type.Integer(),
  uuid: Type.String({ format: "uuid" }),
  name: Type.String(),
  prefix: Type.String({
    description: "How the token begins, for recognising it.",
    examples: ["vdt_Zk3x9QaB"],
  }),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer({ description: "Whose key it is." }),
  user_name: Type.String(),
  last_used_at: Type.Union([Timestamp, Type.Null()], { description: "To the minute." }),
  expires_at: Type.Union([Timestamp, Type.Null()], { description: "Null: never." }),
  created_at: Timestamp,
};

export const V2ApiKey = Type.Object(fields, { title: "V2ApiKey" });

export const V2CreatedApiKey = Type.Object(
  { ...fields, token: Type.String({ description: "The key itself; shown this once." }) },
  { title: "V2CreatedApiKey" },
);

export const V2ApiKeyBody = Type.Object(
  {
    name: KeyName,
    scopes: Scopes,
    expires_at: Type.Optional(Type.Union([Timestamp, Type.Null()], { description: "Default: never." })),
    organization: OrganizationFilter,
  },
  { title: "V2NewApiKey" },
);

export function projectV2ApiKey(key: ApiKey): Static<typeof V2ApiKey> {
  const { id, uuid, name, prefix, scopes } = key;
  return {
    ...{ id, uuid, name, prefix, scopes },
    user_id: key.userId,
    user_name: key.userName,
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    created_at: timestamp(key.createdAt),
  };
}

export const projectV2CreatedApiKey = (key: CreatedKey): Static<typeof V2CreatedApiKey> => ({
  ...projectV2ApiKey(key),
  token: key.token,
});
