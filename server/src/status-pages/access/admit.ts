import { createHmac } from "node:crypto";
import type { Caller } from "../../platform/access/caller.ts";
import type { GuessLimits } from "../../platform/access/guessing.ts";
import { verifyPassword } from "../../platform/access/password.ts";
import { findOrganizationOf } from "../../platform/access/queries/organizations.ts";
import { scopesAllow } from "../../platform/access/scopes.ts";
import { hashToken, isSameSecret } from "../../platform/access/token.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import type { Db } from "../../platform/database/db.ts";
import { PublicError } from "../../platform/errors.ts";
import { isWithin } from "../../platform/formats/networks.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { CachedPage } from "../document/cached-page.ts";
import type { StatusPage } from "../queries/status-pages.ts";

/** `hidden`: as if there were no such page. `locked`: only with the password. */
type Admission = "admitted" | "hidden" | "locked";

/**
 * Whether a visitor may see a page: members of its organization every one of them; others those that are public, from the
 * networks that are allowed, with the password. All that visitors get goes through here. Throws 429 for too many guesses.
 */
export async function admit(
  ctx: Pick<Context, "clock" | "secrets"> & { db: Db },
  page: StatusPage,
  visitor: PageVisitor,
): Promise<Admission> {
  if (isForEverybody(page)) return "admitted";
  const { isPublic, allowedNetworks, passwordHash } = page;
  const isMeant = isPublic && (allowedNetworks.length === 0 || isWithin(visitor.address, allowedNetworks));
  if (isMeant && (passwordHash === null || (await knowsPassword(ctx, page, visitor)))) return "admitted";
  const caller = await visitor.signedIn();
  if (caller && (await isMember(ctx.db, page, caller))) return "admitted";
  return isMeant ? "locked" : "hidden";
}

/** Whether the page needs neither a sign-in nor a password: then all visitors may get the same document. */
export const isForEverybody = ({ isPublic, passwordHash, allowedNetworks }: StatusPage): boolean =>
  isPublic && passwordHash === null && allowedNetworks.length === 0;

/** 401 that requests the page's password from a program. */
export const lockedPage = () =>
  new PublicError("unauthenticated", msg("page.locked"), {
    challenge: 'Basic realm="Status page", charset="UTF-8"',
  });

async function knowsPassword(
  { clock, secrets }: Pick<Context, "clock" | "secrets">,
  page: StatusPage,
  { entry, password, guesses }: PageVisitor,
): Promise<boolean> {
  const now = clock.now();
  if (entry !== undefined && isEntry(secrets, page, entry, now)) return true;
  return password !== undefined && isRightPassword(page, password, { guesses: guesses?.(page.slug), now });
}

/** Keys act in their own organization, unless they were made for all, and need the scope. */
async function isMember(db: Db, { organizationId }: StatusPage, caller: Caller): Promise<boolean> {
  if (!caller.allOrganizations && caller.organizationId !== organizationId) return false;
  if (!scopesAllow(caller.scopes, "read", "status-pages")) return false;
  return (await findOrganizationOf(db, caller.userId, { id: organizationId })) !== undefined;
}

/** Who wants to see a status page, as far as that decides it. */
export interface PageVisitor {
  /** From where the request came. */
  address: string;
  /** The signed-in caller, or the owner of the API key; read only where the page is restricted. */
  signedIn(): Promise<Caller | null>;
  /** What the browser got when the page's password was given. */
  entry?: string | undefined;
  /** The password itself, as programs send it. */
  password?: string | undefined;
  /** Counts their guesses at the page of that slug, which it has now. */
  guesses?(slug: string): GuessLimits;
}

// Said here, because accounts know nothing of pages.
declare module "../../platform/access/caller.ts" {
  interface AnonymousClient {
    /** As status pages see them. */
    atPage?: PageVisitor;
    /** Reads a status page, or gives what was read of it a moment ago; null: there is none. */
    readPage?(slug: string): Promise<CachedPage | null>;
  }
}

/** How long an entered password is remembered. */
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
function isEntry(secrets: SecretBox, page: Closed, token: string, now: number): boolean {
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
