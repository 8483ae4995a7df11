import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { TSchema } from "typebox";
import type { SecretBox } from "../context.ts";
import { splitSecrets } from "./config-secrets.ts";

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM. Sealed text: `v1.` and base64url of nonce, tag and ciphertext; authenticates the version.
 * `open` throws when the text was altered or sealed with another key.
 */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== 32) throw new Error("the secret key must be 32 bytes");
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(VERSION));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed) {
      const [version, text] = sealed.split(".");
      if (version !== VERSION || text === undefined) throw new Error("sealed text of an unknown version");
      const bytes = Buffer.from(text, "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, options).setAAD(Buffer.from(VERSION));
      decipher.setAuthTag(tag);
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      );
    },
    derive: (purpose) => Buffer.from(hkdfSync("sha256", key, "", purpose, key.length)),
  };
}

/** `secrets` null: there are none. */
interface SealedConfig {
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
