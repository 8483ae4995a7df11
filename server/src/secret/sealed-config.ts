import type { TSchema } from "typebox";
import type { SecretBox } from "../context.ts";
import { splitSecrets } from "./config-secrets.ts";

/** A configuration as it is stored: what may be read, and the rest encrypted; null where there is none. */
export interface SealedConfig {
  config: object;
  secrets: string | null;
}

/** Encrypts what its schema marks as secret (config-secrets.ts), all of it together. */
export function sealConfig(box: SecretBox, schema: TSchema, config: object): SealedConfig {
  const { plain, secret } = splitSecrets(schema, config);
  const hasSecrets = Object.keys(secret).length > 0;
  return { config: plain, secrets: hasSecrets ? box.seal(JSON.stringify(secret)) : null };
}

/** The opposite. Throws when the installation's key is not the one it was sealed with. */
export const openConfig = (box: SecretBox, { config, secrets }: SealedConfig): object =>
  secrets === null ? config : { ...config, ...(JSON.parse(box.open(secrets)) as object) };
