import type { Caller } from "../account/caller.ts";
import { scopesAllow } from "../account/scopes.ts";
import type { Db } from "../store/db.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import type { StatusPage } from "../store/queries/status-pages.ts";

/** Who wants to see a page, as far as that decides it. */
export interface PageVisitor {
  /** From where the request came. */
  address: string;
  /** Who has signed in, or whose API key it is; asked only where the page is not for everybody. */
  signedIn(): Promise<Caller | null>;
}

/** `hidden`: as if there were no such page. */
export type Admission = "admitted" | "hidden";

/**
 * Whether a visitor may see a page: everybody a public one, members of its organization any other. All that visitors get
 * goes through here.
 */
export async function admit(db: Db, page: StatusPage, visitor: PageVisitor): Promise<Admission> {
  if (page.isPublic) return "admitted";
  const caller = await visitor.signedIn();
  return caller && (await isMember(db, page, caller)) ? "admitted" : "hidden";
}

/** Whether nobody who asks for a page is asked anything: then what one visitor gets, all may get. */
export const isForEverybody = ({ isPublic, passwordHash, allowedNetworks }: StatusPage): boolean =>
  isPublic && passwordHash === null && allowedNetworks.length === 0;

/** Keys act in their own organization, unless they were made for all, and need the scope. */
async function isMember(db: Db, { organizationId }: StatusPage, caller: Caller): Promise<boolean> {
  if (!caller.allOrganizations && caller.organizationId !== organizationId) return false;
  if (!scopesAllow(caller.scopes, "read", "status-pages")) return false;
  return (await findOrganizationOf(db, caller.userId, { id: organizationId })) !== undefined;
}
