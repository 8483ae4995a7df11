import { acceptInvitation } from "../../account/accept-invitation.ts";
import { cancelInvitation, declineInvitation } from "../../account/end-invitation.ts";
import { listInvitations, listOwnInvitations } from "../../account/invitations.ts";
import { inviteMember } from "../../account/invite-member.ts";
import { resendInvitation } from "../../account/resend-invitation.ts";
import type { DefineBoth } from "../both-families.ts";

const collection = { url: "/api/organizations/:id/invitations", params: { id: "organization" } };
const mine = { tag: "organization" };

/** Whom an organization invites, and where a person is invited to. */
export function describeInvitations(define: DefineBoth): void {
  define({
    ...collection,
    verb: listInvitations,
    method: "GET",
    summary: "List an organization's pending invitations",
    description: "Newest first; an invitation is valid for 30 days.",
  });
  define({
    ...collection,
    verb: inviteMember,
    method: "POST",
    status: 201,
    summary: "Invite a person to an organization",
    description:
      "They are a member once they accept, with the `code` that only this answer shows. Where this installation sends mail, a link with it goes there (`sent`), at most five times an hour; else hand them the link yourself: the app's `/invitation#CODE`. It is the permission to make an account, too. The answer is the same whether or not the e-mail address has an account. Inviting it again replaces the invitation. Only an owner may invite an owner.",
  });
  define({
    verb: resendInvitation,
    method: "POST",
    url: "/api/organizations/:id/invitations/:invitationId/resend",
    params: { id: "organization", invitationId: "invitation" },
    summary: "Send an invitation again",
    description:
      "With a new `code`, which only this answer shows, and for 30 days from now; the old code no longer works. It goes out by mail where this installation sends mail (`sent`).",
    message: "Invitation renewed.",
  });
  define({
    verb: cancelInvitation,
    method: "DELETE",
    url: "/api/organizations/:id/invitations/:invitationId",
    params: { id: "organization", invitationId: "invitation" },
    summary: "Withdraw an invitation",
    description: "It can no longer be accepted.",
    message: "Invitation withdrawn.",
  });
  define({
    ...mine,
    verb: listOwnInvitations,
    method: "GET",
    url: "/api/invitations",
    summary: "List the invitations to you",
    description: "Organizations that have invited your e-mail address, newest first.",
  });
  define({
    ...mine,
    verb: acceptInvitation,
    method: "POST",
    url: "/api/invitations/:id/accept",
    summary: "Accept an invitation to you",
    description:
      "You are a member from then on, with the role it names. `code` is what the person who invited you was shown. Returns the organization.",
    message: "Invitation accepted.",
  });
  define({
    ...mine,
    verb: declineInvitation,
    method: "POST",
    url: "/api/invitations/:id/decline",
    summary: "Decline an invitation to you",
    description: "It is gone; you may be invited again.",
    message: "Invitation declined.",
  });
}
