import { createHmac } from "node:crypto";
import type { GuessLimits } from "../../account/guessing.ts";
import { verifyPassword } from "../../account/password.ts";
import { hashToken, isSameSecret } from "../../account/token.ts";
import type { SecretBox } from "../../context.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";

/** Whoever has given the password is not asked again for so long. */
export const ENTRY_MS = 7 * 86_400_000;
const PURPOSE = "visits of closed pages";
/** Programs send the password with every request; checking it takes longer than a page. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

type Closed = Pick<StatusPage, "uuid" | "passwordHash">;

/** What a browser shows instead of the password: good until then, for this page and this password. */
export const entryToken = (secrets: SecretBox, page: Closed, until: number): string =>
  `${until}.${signed(secrets, page, until)}`;

/** Whether a token was made here for the page with the password that it has now, and has not expired. */
export function isEntry(secrets: SecretBox, page: Closed, token: string, now: number): boolean {
  const [until = "", signature = ""] = token.split(".");
  if (!/^\d{1,15}$/.test(until) || Number(until) <= now) return false;
  return isSameSecret(signature, signed(secrets, page, Number(until)));
}

const signed = (secrets: SecretBox, { uuid, passwordHash }: Closed, until: number): string =>
  createHmac("sha256", secrets.derive(PURPOSE))
    .update(`${uuid} ${until} ${passwordHash}`)
    .digest("base64url");

/** Passwords that were right lately, by no more than a hash with the page's salt in it, and until when. */
const remembered = new Map<string, number>();

/** Whether it is the page's password. Wrong ones count as guesses. Throws 429 where there were too many. */
export async function isRightPassword(
  { passwordHash }: Closed,
  password: string,
  { guesses, now }: { guesses: GuessLimits | undefined; now: number },
): Promise<boolean> {
  const key = hashToken(`${passwordHash} ${password}`);
  if ((remembered.get(key) ?? 0) > now) return true;
  const wasRight = await guesses?.password();
  if (!(await verifyPassword(password, passwordHash))) return false;
  await wasRight?.();
  remembered.delete(key);
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  remembered.set(key, now + REMEMBERED_MS);
  return true;
}
