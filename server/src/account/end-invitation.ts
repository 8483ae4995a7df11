import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteInvitation, findInvitation, type Invitation } from "../store/queries/invitations.ts";
import { ownInvitation } from "./own-invitation.ts";
import { organizationScope } from "./resolve-organization.ts";

type Key = { id: number } | { uuid: string };

/** Withdraws an invitation of the organization's. Throws 404 for an unknown one. */
export async function cancelInvitation(
  ctx: CallerContext,
  input: { organization: string; invitation: Key },
): Promise<Invitation> {
  const organizationId = await organizationScope(ctx, input.organization);
  const { db } = ctx.store;
  const found = await findInvitation(db, { organizationId }, input.invitation, ctx.clock.now());
  if (!found || !(await deleteInvitation(db, found))) throw notFound();
  return found;
}

/** Declines an invitation to the caller. Throws 404 if it is not theirs. */
export async function declineInvitation(ctx: CallerContext, input: { invitation: Key }): Promise<number> {
  const invitation = await ownInvitation(ctx, ctx.store.db, input.invitation);
  if (!(await deleteInvitation(ctx.store.db, invitation))) throw notFound();
  return invitation.id;
}
