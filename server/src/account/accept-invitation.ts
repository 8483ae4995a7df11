import { Type } from "typebox";
import { invalidInput, notFound } from "../errors.ts";
import { deleteInvitation } from "../store/queries/members.ts";
import { findOrganizationOf } from "../store/queries/organizations.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IdText } from "../wire/field.ts";
import { InvitationCode } from "../wire/invitations.ts";
import { Organization, projectOrganization } from "../wire/organizations.ts";
import { joinOrganization } from "./join-organization.ts";
import { isCodeOf, lockedInvitation, ownInvitation } from "./own-invitation.ts";

/**
 * Makes the caller a member of the organization that invited them, once. Throws 404 if it is not their invitation,
 * 422 without its code: an e-mail address that nobody has verified does not prove for whom it was meant.
 */
export const acceptInvitation = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "accept invitation",
  input: Type.Object({ id: IdText, ...InvitationCode.properties }, { title: "InvitationCode" }),
  output: Organization,
  async run(ctx, input) {
    const { db } = ctx;
    const { userId } = ctx.caller;
    const invitation = await lockedInvitation(db, () => ownInvitation(ctx, input.id));
    if (!isCodeOf(invitation, input.code)) throw wrongCode();
    if (!(await deleteInvitation(db, invitation))) throw notFound();
    await joinOrganization(ctx, invitation, { userId, code: input.code });
    const organization = await findOrganizationOf(db, userId, { id: invitation.organizationId });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});

const wrongCode = () => invalidInput({ code: [fact("account.invitation_code")] });
