import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Db } from "../database/db.ts";
import { invalidInput } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import {
  findMailedToken,
  insertMailedToken,
  type MailedToken,
  type Purpose,
  useMailedToken,
} from "./queries/users.ts";

const TOKEN_BYTES = 32;

/** 32 random bytes as base64url, 43 characters. */
export const randomToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** SHA-256, hex: what is stored of a token. Tokens are random, so no salt and no slow hash is needed. */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** Whether two secrets are the same, and not empty, in a time that does not tell how much of them is. */
export function isSameSecret(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other);
}

/** How long a mailed link is good, milliseconds. */
export const MAILED_MS = 3_600_000;

/** A token for a link that is mailed to this address; only its hash is stored, and the mail is encrypted until it is sent. */
export async function makeMailedToken(
  { db, clock }: { db: Db; clock: Clock },
  whose: Pick<MailedToken, "userId" | "purpose" | "email">,
): Promise<string> {
  const token = randomToken();
  const now = clock.now();
  const mailed = { ...whose, tokenHash: hashToken(token), expiresAt: now + MAILED_MS };
  await insertMailedToken(db, mailed, now);
  return token;
}

/** Whose token it is, and where it was sent. Throws 422 for one that has expired, was used, or never was. */
export async function readMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<Pick<MailedToken, "userId" | "email">> {
  const found = await findMailedToken(db, { purpose, tokenHash: hashToken(token) }, now);
  if (!found) throw usedUp();
  return found;
}

/** Uses a token up; of several who try at once, one may. Throws 422 for the others. Lock its person first (ADR 0014). */
export async function takeMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<void> {
  if (!(await useMailedToken(db, { purpose, tokenHash: hashToken(token) }, now))) throw usedUp();
}

const usedUp = () => invalidInput({ token: [msg("account.link")] });
