import { verb } from "../verb/verb.ts";
import { CreatedInvitation, InvitationKey } from "../wire/invitations.ts";
import { assertMayGrant } from "./grant.ts";
import { invitationOfOrganization } from "./own-invitation.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";
import { sendInvitation } from "./send-invitation.ts";

/**
 * Makes an open invitation anew, with a new code and its full time, and mails it where mail is sent. The caller answers
 * for it from now on. Throws 404 for an unknown one, 403 when only an owner may grant its role, 429 for too many mails.
 */
export const resendInvitation = verb({
  resource: "organization",
  action: "write",
  audit: "resend invitation",
  input: InvitationKey,
  output: CreatedInvitation,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const found = await invitationOfOrganization(ctx, input.invitation);
    assertMayGrant(ctx.caller, found.role);
    return sendInvitation(ctx, found);
  },
});
