import { type Static, Type } from "typebox";
import type { ApiKey as StoredKey } from "../../platform/access/queries/api-keys.ts";
import { nullable, shown, Timestamp } from "../../platform/operations/field.ts";
import type { CreatedKey } from "../issue-key.ts";

/** Optional: the verb reports missing scopes together with a bad name. */
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 64,
  description:
    "At least one `<action>:<resource>`: actions `read` and `write` (which implies read), the resources of this API, `*` for either half.",
  examples: [["read:domains", "write:incidents"]],
});

/** Validated by the verb, together with scopes and expiry. */
const KeyName = Type.String({ description: "1 to 255 characters.", examples: ["laptop"] });

const fields = {
  id: Type.Integer(),
  uuid: Type.String({ format: "uuid" }),
  name: Type.String(),
  prefix: Type.String({
    description: "How the token begins, for recognising it.",
    examples: ["vdt_Zk3x9QaB"],
  }),
  scopes: Type.Array(Type.String()),
  userId: Type.Integer({ description: "Whose key it is." }),
  userName: Type.String(),
  lastUsedAt: nullable(Timestamp, "To the minute."),
  expiresAt: nullable(Timestamp, "Null: never."),
  allOrganizations: Type.Boolean({
    description: "Whether it acts in every organization of the person it belongs to, or only in its own.",
  }),
  createdAt: Timestamp,
};

export const ApiKey = Type.Object(fields, { title: "ApiKey" });

export const CreatedApiKey = Type.Object(
  { ...fields, token: Type.String({ description: "The key itself; shown only this once." }) },
  { title: "CreatedApiKey" },
);

export const NewApiKey = Type.Object(
  {
    name: KeyName,
    scopes: Scopes,
    expiresAt: Type.Optional(Type.Union([Timestamp, Type.Null()], { description: "Default: never." })),
    allOrganizations: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether it acts in every organization you belong to, now and later, until your password is reset.",
      }),
    ),
  },
  { title: "NewApiKey" },
);

export const projectApiKey = (key: StoredKey): Static<typeof ApiKey> => shown(ApiKey, key);

export const projectCreatedApiKey = (key: CreatedKey): Static<typeof CreatedApiKey> =>
  shown(CreatedApiKey, key);
