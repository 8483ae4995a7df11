import type { Clock } from "../clock.ts";
import type { Db } from "../database/schema.ts";
import { invalidInput } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import {
  findMailedToken,
  insertMailedToken,
  type MailedToken,
  type Purpose,
  useMailedToken,
} from "./queries/users.ts";
import { hashToken, randomToken } from "./random-tokens.ts";

/** How long a mailed link is good, milliseconds. */
export const MAILED_MS = 3_600_000;

/** Only its hash is stored, and the mail is encrypted until it is sent. */
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

/** Throws 422 for one that has expired, was used, or never was. */
export async function readMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<Pick<MailedToken, "userId" | "email">> {
  const found = await findMailedToken(db, { purpose, tokenHash: hashToken(token) }, now);
  if (!found) throw usedUp();
  return found;
}

/** Of several who try at once, one may; throws 422 for the others. Lock its person first (ADR 0014). */
export async function takeMailedToken(
  db: Db,
  { token, purpose }: { token: string; purpose: Purpose },
  now: number,
): Promise<void> {
  if (!(await useMailedToken(db, { purpose, tokenHash: hashToken(token) }, now))) throw usedUp();
}

const usedUp = () => invalidInput({ token: [msg("account.link")] });
