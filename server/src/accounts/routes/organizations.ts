import type { DefineBoth } from "../../platform/http/both-families.ts";
import { deleteOrganization, keepOrganization } from "../delete-organization.ts";
import {
  acceptInvitation,
  cancelInvitation,
  declineInvitation,
  inviteMember,
  listInvitations,
  listOwnInvitations,
  resendInvitation,
} from "../invitations.ts";
import { getKey, listKeys, mintKey, renameKey, revokeKey } from "../keys.ts";
import {
  addMember,
  changeRole,
  leaveOrganization,
  listMembers,
  removeMember,
  transferOrganization,
} from "../members.ts";
import {
  foundOrganization,
  getOrganization,
  getOrganizationUsage,
  listOrganizations,
  renameOrganization,
} from "../organizations.ts";

const collection = { url: "/api/organizations" };
const item = { url: "/api/organizations/:id", params: { id: "organization" } };

/** Paths take id, uuid or slug. */
export function describeOrganizations(define: DefineBoth): void {
  define({
    ...collection,
    verb: listOrganizations,
    assistant: true,
    method: "GET",
    summary: "List your organizations",
    description: "Those you belong to, oldest first, each with your role in it.",
  });
  define({
    ...collection,
    verb: foundOrganization,
    method: "POST",
    status: 201,
    summary: "Found an organization, which you then own",
    description:
      "It starts on this installation's default plan, and its slug is made from the name. An API key must be one for all of your organizations.",
  });
  define({
    ...item,
    verb: getOrganization,
    method: "GET",
    summary: "Get one of your organizations",
    description: "By id, uuid or slug. One you do not belong to answers 404.",
  });
  define({
    ...item,
    verb: renameOrganization,
    method: "PUT",
    summary: "Rename one of your organizations",
    description: "Only for owners and admins. The slug stays as it is, so that addresses keep working.",
    message: "Organization renamed.",
  });
  define({
    ...item,
    url: `${item.url}/usage`,
    verb: getOrganizationUsage,
    method: "GET",
    summary: "What an organization's plan allows, and how much of it is used",
    description:
      "Monitors, members, invitations and API keys, each with its limit, and what else the plan says.",
  });
  describeEndOfOrganizations(define);
}

function describeEndOfOrganizations(define: DefineBoth): void {
  define({
    ...item,
    url: `${item.url}/transfer`,
    verb: transferOrganization,
    method: "POST",
    limit: { group: "password", perMinute: 10, by: "session" },
    summary: "Hand an organization over to another member",
    description:
      "The member becomes an owner and you become an admin. Needs your password. Only for owners who have signed in; other owners stay what they are.",
    message: "Organization handed over.",
  });
  define({
    ...item,
    verb: deleteOrganization,
    method: "DELETE",
    failures: [409],
    summary: "Delete an organization in seven days",
    description:
      "Its monitors are paused at once and it is removed with everything in it after `deletesAt`; until then an owner can keep it. Needs its name. Only for owners who have signed in; 409 for your only organization, and when it is to be deleted already.",
    message: "The organization will be deleted.",
  });
  define({
    ...item,
    url: `${item.url}/keep`,
    verb: keepOrganization,
    method: "POST",
    failures: [409],
    summary: "Keep an organization that is to be deleted",
    description:
      "The monitors that were watched before are watched again. Only for owners who have signed in; 409 when it is not to be deleted, and once `deletesAt` has passed.",
    message: "The organization stays.",
  });
}

const MEMBERS_ROUTE = { url: "/api/organizations/:id/members", params: { id: "organization" } };
const MEMBER_ROUTE = {
  url: "/api/organizations/:id/members/:userId",
  params: { id: "organization", userId: "member" },
};

export function describeMembers(define: DefineBoth): void {
  define({
    ...MEMBERS_ROUTE,
    verb: listMembers,
    method: "GET",
    summary: "List the people of an organization",
    description: "Everybody who belongs to it, with their role and since when.",
  });
  define({
    ...MEMBERS_ROUTE,
    verb: addMember,
    method: "POST",
    status: 201,
    summary: "Create an account for a new person in an organization",
    description:
      "For a person without an account, with a password to hand over. People who have one are invited instead (`…/invitations`): membership needs their own consent.",
  });
  define({
    ...MEMBER_ROUTE,
    verb: changeRole,
    method: "PUT",
    failures: [409],
    summary: "Give a member another role",
    description: "Only for owners and admins. 409 when it would leave the organization without an owner.",
  });
  define({
    ...MEMBER_ROUTE,
    verb: removeMember,
    method: "DELETE",
    failures: [409],
    summary: "End a membership, with its keys and sessions",
    description: "The person loses access at once. 409 for the last owner.",
  });
  define({
    verb: leaveOrganization,
    tag: "organization",
    method: "DELETE",
    url: "/api/organizations/:id/membership",
    params: { id: "organization" },
    failures: [409],
    summary: "Leave an organization",
    description:
      "Ends your own membership and your keys there; your sessions go on in another of your organizations. 409 for the last owner, and for your only organization.",
    message: "You have left the organization.",
  });
}

const INVITATIONS_ROUTE = { url: "/api/organizations/:id/invitations", params: { id: "organization" } };
const mine = { tag: "organization" };

export function describeInvitations(define: DefineBoth): void {
  define({
    ...INVITATIONS_ROUTE,
    verb: listInvitations,
    method: "GET",
    summary: "List an organization's pending invitations",
    description: "Newest first; an invitation is valid for 30 days.",
  });
  define({
    ...INVITATIONS_ROUTE,
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

const keys = { url: "/api-keys", aliases: ["/api/api-keys"] };
const key = { url: "/api-keys/:id", aliases: ["/api/api-keys/:id"] };

/** `/api-keys`, also at `/api/api-keys`, and `/v2/api-keys`. Legacy has no route for one key. */
export function describeApiKeys(define: DefineBoth): void {
  define({
    ...keys,
    verb: listKeys,
    method: "GET",
    summary: "List API keys",
    description:
      "Owners and admins see the organization's keys, others their own. Tokens are never shown again.",
  });
  define({
    ...keys,
    verb: mintKey,
    method: "POST",
    status: 201,
    summary: "Create an API key",
    description:
      "The token is in this answer only. A key can grant no more than its own scopes, and cannot make a key that outlives it. It acts in its own organization unless `allOrganizations` says otherwise.",
    message: "API key created. Its token is not shown again.",
  });
  define({
    ...key,
    verb: getKey,
    only: "v2",
    method: "GET",
    summary: "Get an API key",
    description: "Everything about it except the token, which cannot be read again.",
  });
  define({
    ...key,
    verb: renameKey,
    only: "v2",
    method: "PUT",
    summary: "Rename an API key",
    description: "Scopes and expiry never change: make a new key for those.",
  });
  define({
    ...key,
    verb: revokeKey,
    method: "DELETE",
    summary: "Delete an API key",
    description: "Programs that use it are refused from then on, and their live streams end.",
    message: "API key deleted.",
  });
}
