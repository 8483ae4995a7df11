import { Type } from "typebox";
import { acceptInvitation } from "../../account/accept-invitation.ts";
import { cancelInvitation, declineInvitation } from "../../account/end-invitation.ts";
import { inviteMember } from "../../account/invite-member.ts";
import { listInvitations, listOwnInvitations } from "../../account/list-invitations.ts";
import { Deleted, IdParams, IdText, parseId } from "../../wire/id.ts";
import {
  CreatedInvitation,
  Invitation,
  InvitationBody,
  InvitationCodeBody,
  MyInvitation,
  projectCreatedInvitation,
  projectInvitation,
  projectMyInvitation,
} from "../../wire/invitations.ts";
import { Organization, projectOrganization } from "../../wire/organizations.ts";
import { PageQuery, pageOf } from "../../wire/page.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "organization" } as const;
const collection = { ...facts, url: "/api/organizations/:id/invitations" };
const person = { resource: null, by: "session", tag: "organization" } as const;

/** Whom an organization invites, and where a person is invited to. */
export function describeInvitations(define: DefineBoth): void {
  define({
    ...collection,
    method: "GET",
    paged: true,
    summary: "List an organization's pending invitations",
    description: "Newest first; an invitation is valid for 30 days.",
    params: IdParams,
    querystring: Type.Object(PageQuery),
    response: Type.Array(Invitation),
    async handler(own, { params, query }) {
      const { items, page } = pageOf(await listInvitations(own, { organization: params.id }), query);
      return { data: items.map(projectInvitation), page };
    },
  });
  define({
    ...collection,
    method: "POST",
    status: 201,
    audit: "invite member",
    summary: "Invite a person to an organization",
    description:
      "They are a member once they accept, with the `code` that only this answer shows: hand it to them yourself. The answer is the same whether or not the e-mail address has an account; nothing is sent to it. Inviting it again replaces the invitation. Only an owner may invite an owner.",
    params: IdParams,
    body: InvitationBody,
    response: CreatedInvitation,
    async handler(own, { params, body }) {
      const invitation = await inviteMember(own, { ...body, organization: params.id });
      return { data: projectCreatedInvitation(invitation), auditName: invitation.email };
    },
  });
  define({
    ...facts,
    method: "DELETE",
    url: "/api/organizations/:id/invitations/:invitationId",
    audit: "cancel invitation",
    summary: "Withdraw an invitation",
    description: "It can no longer be accepted.",
    params: Type.Object({ id: IdText, invitationId: IdText }),
    response: Deleted,
    async handler(own, { params }) {
      const key = { organization: params.id, invitation: parseId(params.invitationId) };
      const { id, email } = await cancelInvitation(own, key);
      return { data: { id }, auditId: id, auditName: email, message: "Invitation withdrawn." };
    },
  });
  describeMine(define);
}

function describeMine(define: DefineBoth): void {
  define({
    ...person,
    method: "GET",
    url: "/api/invitations",
    paged: true,
    summary: "List the invitations to you",
    description: "Organizations that have invited your e-mail address, newest first.",
    querystring: Type.Object(PageQuery),
    response: Type.Array(MyInvitation),
    async handler(own, { query }) {
      const { items, page } = pageOf(await listOwnInvitations(own), query);
      return { data: items.map(projectMyInvitation), page };
    },
  });
  define({
    ...person,
    method: "POST",
    url: "/api/invitations/:id/accept",
    audit: "accept invitation",
    summary: "Accept an invitation to you",
    description:
      "You are a member from then on, with the role it names. `code` is what the person who invited you was shown. Returns the organization.",
    params: IdParams,
    body: InvitationCodeBody,
    response: Organization,
    async handler(own, { params, body }) {
      const organization = await acceptInvitation(own, { invitation: parseId(params.id), code: body.code });
      return { data: projectOrganization(organization), message: "Invitation accepted." };
    },
  });
  define({
    ...person,
    method: "POST",
    url: "/api/invitations/:id/decline",
    audit: "decline invitation",
    summary: "Decline an invitation to you",
    description: "It is gone; you may be invited again.",
    params: IdParams,
    response: Deleted,
    async handler(own, { params }) {
      const id = await declineInvitation(own, { invitation: parseId(params.id) });
      return { data: { id }, message: "Invitation declined." };
    },
  });
}
