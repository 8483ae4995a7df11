import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { addMember } from "../../account/add-member.ts";
import { changeRole } from "../../account/change-role.ts";
import { listMembers } from "../../account/list-members.ts";
import { removeMember } from "../../account/remove-member.ts";
import type { Context } from "../../context.ts";
import { MemberBody, RoleBody } from "../../wire/credentials.ts";
import { Deleted, IdParams, IdText, parseId } from "../../wire/id.ts";
import { OrganizationMember, projectMember } from "../../wire/legacy/organizations.ts";
import { LegacyPageQuery, legacyPageOf } from "../../wire/page.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "legacy", resource: "organization" } as const;
const collection = { ...facts, url: "/api/organizations/:id/members" };
const item = { ...facts, url: "/api/organizations/:id/members/:userId" };
const ItemParams = Type.Object({ id: IdText, userId: IdText });

/** The people of an organization. */
export function registerMembers(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...collection, method: "GET", paged: true },
    summary: "List the people of an organization",
    params: IdParams,
    querystring: Type.Object(LegacyPageQuery),
    response: Type.Array(OrganizationMember),
    async handler(own, { params, query }) {
      const members = await listMembers(own, { organization: params.id });
      const { items, page } = legacyPageOf(members, query);
      return { data: items.map(projectMember), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...collection, method: "POST", status: 201, audit: "add member" },
    summary: "Take a person into an organization",
    description: "With `password`, makes an account for somebody who has none.",
    params: IdParams,
    body: MemberBody,
    response: OrganizationMember,
    async handler(own, { params, body }) {
      const member = await addMember(own, { ...body, organization: params.id });
      return { data: projectMember(member), auditId: member.id };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...item, method: "PUT", audit: "change role", failures: [409] },
    summary: "Give a member another role",
    params: ItemParams,
    body: RoleBody,
    response: OrganizationMember,
    async handler(own, { params, body }) {
      const member = parseId(params.userId);
      const changed = await changeRole(own, { organization: params.id, member, role: body.role });
      return { data: projectMember(changed), auditId: changed.id };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...item, method: "DELETE", audit: "remove member", failures: [409] },
    summary: "End a membership, with its keys and sessions",
    params: ItemParams,
    response: Deleted,
    async handler(own, { params }) {
      const id = await removeMember(own, { organization: params.id, member: parseId(params.userId) });
      return { data: { id }, auditId: id };
    },
  });
}
