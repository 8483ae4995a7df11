import type { Caller } from "../../account/caller.ts";
import { scopesAllow } from "../../account/scopes.ts";
import type { Context } from "../../context.ts";
import { PublicError } from "../../errors.ts";
import type { Db } from "../../store/db.ts";
import { findOrganizationOf } from "../../store/queries/organizations.ts";
import type { StatusPage } from "../../store/queries/status-pages.ts";
import { fact } from "../../texts/fact.ts";
import { isEntry, isRightPassword } from "./entry.ts";
import { isWithin } from "./networks.ts";
import type { PageVisitor } from "./visitor.ts";

/** `hidden`: as if there were no such page. `locked`: for whoever gives the password. */
export type Admission = "admitted" | "hidden" | "locked";

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

/** Whether nobody who asks for a page is asked anything: then what one visitor gets, all may get. */
export const isForEverybody = ({ isPublic, passwordHash, allowedNetworks }: StatusPage): boolean =>
  isPublic && passwordHash === null && allowedNetworks.length === 0;

/** 401 that asks a program for the page's password. */
export const lockedPage = () =>
  new PublicError("unauthenticated", fact("page.locked"), {
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
