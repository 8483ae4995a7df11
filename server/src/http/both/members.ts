import { Type } from "typebox";
import { addMember } from "../../account/add-member.ts";
import { changeRole } from "../../account/change-role.ts";
import { leaveOrganization } from "../../account/leave-organization.ts";
import { listMembers } from "../../account/list-members.ts";
import { removeMember } from "../../account/remove-member.ts";
import { MemberBody, RoleBody } from "../../wire/credentials.ts";
import { Deleted, IdParams, IdText, parseId } from "../../wire/id.ts";
import { OrganizationMember, projectMember } from "../../wire/organizations.ts";
import { PageQuery, pageOf } from "../../wire/page.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "organization" } as const;
const collection = { ...facts, url: "/api/organizations/:id/members" };
const item = { ...facts, url: "/api/organizations/:id/members/:userId" };
const ItemParams = Type.Object({ id: IdText, userId: IdText });

/** The people of an organization. */
export function describeMembers(define: DefineBoth): void {
  define({
    ...collection,
    method: "GET",
    paged: true,
    summary: "List the people of an organization",
    description: "Everybody who belongs to it, with their role and since when.",
    params: IdParams,
    querystring: Type.Object(PageQuery),
    response: Type.Array(OrganizationMember),
    async handler(own, { params, query }) {
      const members = await listMembers(own, { organization: params.id });
      const { items, page } = pageOf(members, query);
      return { data: items.map(projectMember), page };
    },
  });
  define({
    ...collection,
    method: "POST",
    status: 201,
    audit: "add member",
    summary: "Create an account for a new person in an organization",
    description:
      "For somebody who has no account, with a password to hand over. People who have one are invited instead (`…/invitations`): nobody becomes a member without their own consent.",
    params: IdParams,
    body: MemberBody,
    response: OrganizationMember,
    async handler(own, { params, body }) {
      const member = await addMember(own, { ...body, organization: params.id });
      return { data: projectMember(member), auditId: member.id };
    },
  });
  define({
    ...item,
    method: "PUT",
    audit: "change role",
    failures: [409],
    summary: "Give a member another role",
    description: "Only for owners and admins. 409 when it would leave the organization without an owner.",
    params: ItemParams,
    body: RoleBody,
    response: OrganizationMember,
    async handler(own, { params, body }) {
      const member = parseId(params.userId);
      const changed = await changeRole(own, { organization: params.id, member, role: body.role });
      return { data: projectMember(changed), auditId: changed.id };
    },
  });
  define({
    ...item,
    method: "DELETE",
    audit: "remove member",
    failures: [409],
    summary: "End a membership, with its keys and sessions",
    description: "The person loses access at once. 409 for the last owner.",
    params: ItemParams,
    response: Deleted,
    async handler(own, { params }) {
      const { id, name } = await removeMember(own, {
        organization: params.id,
        member: parseId(params.userId),
      });
      return { data: { id }, auditId: id, auditName: name };
    },
  });
  define({
    own: "session",
    tag: "organization",
    method: "DELETE",
    url: "/api/organizations/:id/membership",
    audit: "leave organization",
    failures: [409],
    summary: "Leave an organization",
    description:
      "Ends your own membership and your keys there; your sessions go on in another of your organizations. 409 for the last owner, and for your only organization.",
    params: IdParams,
    response: Deleted,
    async handler(own, { params }) {
      const id = await leaveOrganization(own, { organization: params.id });
      return { data: { id }, message: "You have left the organization." };
    },
  });
}
