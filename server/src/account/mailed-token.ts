import type { Clock } from "../clock.ts";
import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import {
  findMailedToken,
  insertMailedToken,
  type MailedToken,
  type Purpose,
  useMailedToken,
} from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { hashToken, randomToken } from "./token.ts";

/** How long a mailed link is good, milliseconds. */
export const MAILED_MS = 3_600_000;

/** A token for a link that is mailed to this address; only its hash is stored, and the mail is encrypted until it is sent. */
export async function makeMailedToken(
  { db, clock }: { db: Db; clock: Clock },
  whose: Pick<MailedToken, "userId" | "purpose" | "email">,
): Promise<string> {
  const token = randomToken();
  const now = clock.now();
  const kept = { ...whose, tokenHash: hashToken(token), expiresAt: now + MAILED_MS };
  await insertMailedToken(db, kept, now);
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

const usedUp = () => invalidInput({ token: [fact("account.link")] });
