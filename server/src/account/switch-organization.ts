import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import { switchSession } from "../store/queries/sessions.ts";
import { recordEndedAccess } from "./ended-access.ts";
import { parseOrganizationKey } from "./organization-key.ts";

/** Moves the caller's session to another of their organizations (id, uuid or slug). Throws 404 for any other. */
export async function switchOrganization(
  ctx: CallerContext,
  input: { organization: string },
): Promise<number> {
  const key = parseOrganizationKey(input.organization);
  const organization = await findOrganizationOf(ctx.store.db, ctx.caller.userId, key);
  if (!organization || ctx.caller.sessionId === null) throw notFound();
  const { sessionId } = ctx.caller;
  await ctx.store.transaction(async (trx) => {
    await switchSession(trx, sessionId, organization.id);
    // Its streams belong to the organization that it has left; clients that reconnect get the new one's.
    recordEndedAccess(trx, { of: "session", sessionId }, ctx.clock.now());
  });
  ctx.live.wake();
  return organization.id;
}
