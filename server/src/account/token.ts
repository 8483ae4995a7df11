import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** 32 random bytes as base64url, 43 characters. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** SHA-256, hex: what is stored of a token. Tokens are random, so no salt and no slow hash is needed. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");
