import { randomBytes } from "node:crypto";
import { hashToken, isSameSecret } from "../platform/access/random-tokens.ts";

/** 100 bits; without letters and digits that look alike. */
const SYMBOLS = 20;
const GROUP = /.{5}(?=.)/g;
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** To be read out or typed: `7KQ2M-…`, four groups of five. */
export const randomCode = (): string =>
  Array.from(randomBytes(SYMBOLS), (byte) => ALPHABET[byte % ALPHABET.length])
    .join("")
    .replace(GROUP, "$&-");

/** Ignores spaces, dashes and case. */
export const hashCode = (code: string): string => hashToken(code.toUpperCase().replace(/[^0-9A-Z]/g, ""));

/** In constant time. */
export const isCode = (given: string, hash: string): boolean => isSameSecret(hashCode(given), hash);
