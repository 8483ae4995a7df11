import { notFound } from "../errors.ts";
import { deleteInvitation } from "../store/queries/members.ts";
import { verb } from "../verb/verb.ts";
import { Deleted, IdParams } from "../wire/field.ts";
import { InvitationKey } from "../wire/invitations.ts";
import { invitationOfOrganization, ownInvitation } from "./own-invitation.ts";
import { findOrganizationNamed } from "./resolve-organization.ts";

/** Withdraws an invitation of the organization's. Throws 404 for an unknown one. */
export const cancelInvitation = verb({
  resource: "organization",
  action: "write",
  audit: "cancel invitation",
  input: InvitationKey,
  output: Deleted,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const found = await invitationOfOrganization(ctx, input.invitation);
    if (!(await deleteInvitation(ctx.db, found))) throw notFound();
    ctx.record({ id: found.id, name: found.email, before: found.role });
    return { id: found.id };
  },
});

/** Declines an invitation to the caller. Throws 404 if it is not theirs. */
export const declineInvitation = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "decline invitation",
  input: IdParams,
  output: Deleted,
  async run(ctx, input) {
    const invitation = await ownInvitation(ctx, input.id);
    const { id, organizationId } = invitation;
    if (!(await deleteInvitation(ctx.db, invitation))) throw notFound();
    ctx.record({ id, organizationId });
    return { id };
  },
});
