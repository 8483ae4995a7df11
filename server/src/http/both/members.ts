import { Type } from "typebox";
import { addMember } from "../../account/add-member.ts";
import { changeRole } from "../../account/change-role.ts";
import { leaveOrganization } from "../../account/leave-organization.ts";
import { listMembers } from "../../account/list-members.ts";
import { removeMember } from "../../account/remove-member.ts";
import { MemberBody, RoleBody } from "../../wire/credentials.ts";
import { Deleted, IdParams, IdText, parseId, UuidParams } from "../../wire/id.ts";
import { OrganizationMember, projectMember } from "../../wire/legacy/organizations.ts";
import { LegacyPageQuery, pageOf, V2PageQuery } from "../../wire/page.ts";
import { V2Member } from "../../wire/v2/organizations.ts";
import type { DefineBoth } from "../both-families.ts";

const facts = { resource: "organization" } as const;
const collection = { ...facts, url: "/api/organizations/:id/members" };
const item = { ...facts, url: "/api/organizations/:id/members/:userId" };
const ItemParams = Type.Object({ id: IdText, userId: IdText });
const v2Collection = { url: "/v2/organizations/:uuid/members", params: UuidParams };
const v2Item = {
  url: "/v2/organizations/:uuid/members/:user",
  params: Type.Object({ uuid: IdText, user: IdText }),
};

/** The people of an organization. */
export function describeMembers(define: DefineBoth): void {
  define({
    ...{ ...collection, method: "GET", paged: true },
    summary: "List the people of an organization",
    description: "Everybody who belongs to it, with their role and since when.",
    params: IdParams,
    querystring: Type.Object(LegacyPageQuery),
    response: Type.Array(OrganizationMember),
    v2: { ...v2Collection, querystring: Type.Object(V2PageQuery), response: Type.Array(V2Member) },
    async handler(own, { params, query }) {
      const members = await listMembers(own, { organization: params.id });
      const { items, page } = pageOf(members, query);
      return { data: items.map(projectMember), page };
    },
  });
  define({
    ...{ ...collection, method: "POST", status: 201, audit: "add member" },
    summary: "Create an account for a new person in an organization",
    description:
      "For somebody who has none, with a password to hand over. Whoever may have one is invited instead (`…/invitations`): nobody becomes a member without their own consent.",
    params: IdParams,
    body: MemberBody,
    response: OrganizationMember,
    v2: { ...v2Collection, response: V2Member },
    async handler(own, { params, body }) {
      const member = await addMember(own, { ...body, organization: params.id });
      return { data: projectMember(member), auditId: member.id };
    },
  });
  define({
    ...{ ...item, method: "PUT", audit: "change role", failures: [409] },
    summary: "Give a member another role",
    description: "Only owners and admins may. 409 when it would leave the organization without an owner.",
    params: ItemParams,
    body: RoleBody,
    response: OrganizationMember,
    v2: { ...v2Item, response: V2Member },
    async handler(own, { params, body }) {
      const member = parseId(params.userId);
      const changed = await changeRole(own, { organization: params.id, member, role: body.role });
      return { data: projectMember(changed), auditId: changed.id };
    },
  });
  define({
    ...{ ...item, method: "DELETE", audit: "remove member", failures: [409] },
    summary: "End a membership, with its keys and sessions",
    description: "The person loses access at once. 409 for the last owner.",
    params: ItemParams,
    response: Deleted,
    v2: v2Item,
    async handler(own, { params }) {
      const { id, name } = await removeMember(own, {
        organization: params.id,
        member: parseId(params.userId),
      });
      return { data: { id }, auditId: id, auditName: name };
    },
  });
  define({
    ...{ own: "session", tag: "organization", method: "DELETE", url: "/api/organizations/:id/membership" },
    ...{ audit: "leave organization", failures: [409] },
    summary: "Leave an organization",
    description:
      "Ends your own membership, with your keys there; your sessions go on in another of your organizations. 409 for the last owner, and for your only organization.",
    params: IdParams,
    response: Deleted,
    v2: { url: "/v2/organizations/:uuid/membership", params: UuidParams },
    async handler(own, { params }) {
      const id = await leaveOrganization(own, { organization: params.id });
      return { data: { id }, message: "You have left the organization." };
    },
  });
}
