import type { CallerContext } from "../context.ts";
import { invalidInput, notFound } from "../errors.ts";
import { deleteInvitation } from "../store/queries/invitations.ts";
import { insertMember } from "../store/queries/members.ts";
import { findOrganizationOf, type OwnOrganization } from "../store/queries/organizations.ts";
import { ownInvitation } from "./own-invitation.ts";
import { isCode } from "./spoken-code.ts";

/**
 * Makes the caller a member of the organization that invited them, once. Throws 404 if it is not their invitation,
 * 422 without its code: an e-mail address that nobody has verified does not prove for whom it was meant.
 */
export async function acceptInvitation(
  ctx: CallerContext,
  input: { invitation: { id: number } | { uuid: string }; code: string },
): Promise<OwnOrganization> {
  const { userId } = ctx.caller;
  return ctx.store.transaction(async (trx) => {
    const invitation = await ownInvitation(ctx, trx, input.invitation);
    const { organizationId, role } = invitation;
    if (!isCode(input.code, invitation.codeHash)) throw wrongCode();
    if (!(await deleteInvitation(trx, invitation))) throw notFound();
    await insertMember(trx, { userId, organizationId, role }, ctx.clock.now());
    const organization = await findOrganizationOf(trx, userId, { id: organizationId });
    if (!organization) throw notFound();
    return organization;
  });
}

const wrongCode = () =>
  invalidInput({
    code: ["The code field must be the code that came with this invitation. Ask the person who invited you."],
  });
