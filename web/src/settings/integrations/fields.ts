import { ACCOUNT_SHAPES } from "../../../../server/src/wire/integrations.ts?schemas";
import type { Provider } from "../../api/integrations.ts";
import type { FieldSchema } from "../../forms/schema.ts";

/** What people give to link an account. */
export interface CredentialField {
  /** As the API names it. */
  name: string;
  isSecret: boolean;
  schema: FieldSchema;
}

/** Everything that the server takes of an account of that provider but its name, in its order; none: people agree over there. */
export function credentialFields(provider: Provider): CredentialField[] {
  const create: FieldSchema = ACCOUNT_SHAPES[provider]?.create ?? {};
  return Object.entries(create.properties ?? {})
    .filter(([name]) => name !== "name")
    .map(([name, schema]) => ({ name, schema, isSecret: schema.writeOnly === true }));
}
