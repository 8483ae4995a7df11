import { randomBytes } from "node:crypto";
import { hashToken, isSameSecret } from "../platform/access/token.ts";

/** 100 bits; without letters and digits that look alike. */
const SYMBOLS = 20;
const GROUP = /.{5}(?=.)/g;
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A secret that people hand on, read out or type: `7KQ2M-…`, four groups of five. */
export const randomCode = (): string =>
  Array.from(randomBytes(SYMBOLS), (byte) => ALPHABET[byte % ALPHABET.length])
    .join("")
    .replace(GROUP, "$&-");

/** What is stored of a code; spaces, dashes and case do not matter, however it was copied. */
export const hashCode = (code: string): string => hashToken(code.toUpperCase().replace(/[^0-9A-Z]/g, ""));

/** Whether `given` is the code that `hash` was made of, in a time that reveals nothing about either. */
export const isCode = (given: string, hash: string): boolean => isSameSecret(hashCode(given), hash);
