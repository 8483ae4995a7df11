import { createHmac } from "node:crypto";
import type { Caller } from "../../platform/access/caller.ts";
import { type GuessLimits, verifyPassword } from "../../platform/access/password.ts";
import { findOrganizationOf } from "../../platform/access/queries/organizations.ts";
import { hashToken, isSameSecret } from "../../platform/access/random-tokens.ts";
import { scopesAllow } from "../../platform/access/roles-and-scopes.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { PublicError } from "../../platform/errors.ts";
import { isWithin } from "../../platform/formats/host.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { CachedPage } from "../document/cached-page.ts";
import type { StatusPage } from "../queries/status-pages.ts";

/** `hidden`: as if there were no such page. `locked`: only with the password. */
type Admission = "admitted" | "hidden" | "locked";

/**
 * Members of the page's organization see every page; others public ones, from allowed networks, with the
 * password. Every request of visitors passes here. Throws 429 for too many guesses.
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

/** True: all visitors may get the same document. */
export const isForEverybody = ({ isPublic, passwordHash, allowedNetworks }: StatusPage): boolean =>
  isPublic && passwordHash === null && allowedNetworks.length === 0;

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

export interface PageVisitor {
  address: string;
  /** The signed-in caller, or the owner of the API key; read only where the page is restricted. */
  signedIn(): Promise<Caller | null>;
  /** The cookie set after the page's password was entered. */
  entry?: string | undefined;
  password?: string | undefined;
  /** Counts guesses by the page's present slug. */
  guesses?(slug: string): GuessLimits;
}

// Declared here, because accounts do not know pages.
declare module "../../platform/access/caller.ts" {
  interface AnonymousClient {
    atPage?: PageVisitor;
    /** Cached for a moment; null: no such page. */
    readPage?(slug: string): Promise<CachedPage | null>;
  }
}

export const ENTRY_MS = 7 * 86_400_000;
const PURPOSE = "visits of closed pages";
/** Programs send the password with every request, and hashing takes longer than rendering. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

type Closed = Pick<StatusPage, "uuid" | "passwordHash">;

/** The cookie's value: valid until `until`, for this page and its present password. */
export const entryToken = (secrets: SecretBox, page: Closed, until: number): string =>
  `${until}.${signed(secrets, page, until)}`;

function isEntry(secrets: SecretBox, page: Closed, token: string, now: number): boolean {
  const [until = "", signature = ""] = token.split(".");
  if (!/^\d{1,15}$/.test(until) || Number(until) <= now) return false;
  return isSameSecret(signature, signed(secrets, page, Number(until)));
}

const signed = (secrets: SecretBox, { uuid, passwordHash }: Closed, until: number): string =>
  createHmac("sha256", secrets.derive(PURPOSE))
    .update(`${uuid} ${until} ${passwordHash}`)
    .digest("base64url");

/** Hashes of correct passwords, with the page's salt, and until when they are cached. */
const remembered = new Map<string, number>();

/** Wrong ones count as guesses. Throws 429 after too many. */
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
