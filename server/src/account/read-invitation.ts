import { findUserByEmail } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { InvitationLookup, InvitationPreview, projectInvitationPreview } from "../wire/invitations.ts";
import { invitationWith } from "./own-invitation.ts";

/**
 * What an invitation says to whoever has its code, and so is who it is meant for, or who made it: also whether its
 * address has an account, which decides what they do next. Throws 422 for a code that is worth nothing, or not any more.
 */
export const readInvitation = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: InvitationLookup,
  output: InvitationPreview,
  async run(ctx, { invitation: code }) {
    const invitation = await invitationWith(ctx, code);
    const user = await findUserByEmail(ctx.db, invitation.email);
    return projectInvitationPreview({ ...invitation, hasAccount: user !== undefined });
  },
});
