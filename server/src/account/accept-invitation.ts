import type { CallerContext } from "../context.ts";
import { notFound } from "../errors.ts";
import { deleteInvitation } from "../store/queries/invitations.ts";
import { insertMember } from "../store/queries/members.ts";
import { findOrganizationOf, type OwnOrganization } from "../store/queries/organizations.ts";
import { ownInvitation } from "./own-invitation.ts";

/** Makes the caller a member of the organization that invited them, once. Throws 404 for what is no invitation of theirs. */
export async function acceptInvitation(
  ctx: CallerContext,
  input: { invitation: { id: number } | { uuid: string } },
): Promise<OwnOrganization> {
  const { userId } = ctx.caller;
  return ctx.store.transaction(async (trx) => {
    const { id, organizationId, role } = await ownInvitation(ctx, trx, input.invitation);
    if (!(await deleteInvitation(trx, id))) throw notFound();
    await insertMember(trx, { userId, organizationId, role }, ctx.clock.now());
    const organization = await findOrganizationOf(trx, userId, { id: organizationId });
    if (!organization) throw notFound();
    return organization;
  });
}
