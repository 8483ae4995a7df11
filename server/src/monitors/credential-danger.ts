import { type HttpConfig, httpConfigSchema } from "../checks/http/http-config.ts";
import { decisiveChanges, decisiveFields } from "../platform/secrets/config-secrets.ts";

/** Why stored credentials must be sent again: they would go to another server, or could be read in transit. */
export type CredentialDanger = "address" | "certificate";

const { moves, exposes } = decisiveFields(httpConfigSchema);

/** The fields of an HTTP check whose change is each danger, as its schema marks them. */
export const DANGEROUS_FIELDS: Readonly<Record<CredentialDanger, readonly string[]>> = {
  address: moves,
  certificate: exposes,
};

/** What a change would do to stored credentials of an HTTP check; null: nothing new. URLs are normalised (url.ts). */
export function credentialDanger(
  before: Partial<HttpConfig>,
  after: Partial<HttpConfig>,
): CredentialDanger | null {
  const changed = decisiveChanges(httpConfigSchema, before, after);
  if (changed.length === 0) return null;
  return changed.some((name) => moves.includes(name)) ? "address" : "certificate";
}
