import { addMember } from "../../account/add-member.ts";
import { changeRole } from "../../account/change-role.ts";
import { leaveOrganization } from "../../account/leave-organization.ts";
import { listMembers } from "../../account/list-members.ts";
import { removeMember } from "../../account/remove-member.ts";
import type { DefineBoth } from "../both-families.ts";

const collection = { url: "/api/organizations/:id/members", params: { id: "organization" } };
const item = {
  url: "/api/organizations/:id/members/:userId",
  params: { id: "organization", userId: "member" },
};

/** The people of an organization. */
export function describeMembers(define: DefineBoth): void {
  define({
    ...collection,
    verb: listMembers,
    method: "GET",
    summary: "List the people of an organization",
    description: "Everybody who belongs to it, with their role and since when.",
  });
  define({
    ...collection,
    verb: addMember,
    method: "POST",
    status: 201,
    summary: "Create an account for a new person in an organization",
    description:
      "For somebody who has no account, with a password to hand over. People who have one are invited instead (`…/invitations`): nobody becomes a member without their own consent.",
  });
  define({
    ...item,
    verb: changeRole,
    method: "PUT",
    failures: [409],
    summary: "Give a member another role",
    description: "Only for owners and admins. 409 when it would leave the organization without an owner.",
  });
  define({
    ...item,
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
