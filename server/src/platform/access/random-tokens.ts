import { hash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;

/** 32 random bytes as base64url, 43 characters. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** SHA-256, hex: what is stored of a token. Tokens are random, so no salt and no slow hash is needed. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** In constant time; false where both are empty. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other);
}
