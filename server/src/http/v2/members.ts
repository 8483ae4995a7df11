import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { addMember } from "../../account/add-member.ts";
import { changeRole } from "../../account/change-role.ts";
import { listMembers } from "../../account/list-members.ts";
import { removeMember } from "../../account/remove-member.ts";
import type { Context } from "../../context.ts";
import { MemberBody, RoleBody } from "../../wire/credentials.ts";
import { Deleted, IdText, parseId, UuidParams } from "../../wire/id.ts";
import { V2PageQuery, v2PageOf } from "../../wire/page.ts";
import { projectV2Member, V2Member } from "../../wire/v2/organizations.ts";
import { defineRoute } from "../route.ts";

const facts = { family: "v2", resource: "organization" } as const;
const collection = { ...facts, url: "/v2/organizations/:uuid/members" };
const item = { ...facts, url: "/v2/organizations/:uuid/members/:user" };
const ItemParams = Type.Object({ uuid: IdText, user: IdText });

/** The people of an organization. */
export function registerV2Members(app: FastifyInstance, ctx: Context): void {
  defineRoute(app, ctx, {
    ...{ ...collection, method: "GET", paged: true },
    summary: "List the people of an organization",
    params: UuidParams,
    querystring: Type.Object(V2PageQuery),
    response: Type.Array(V2Member),
    async handler(own, { params, query }) {
      const members = await listMembers(own, { organization: params.uuid });
      const { items, page } = v2PageOf(members, query);
      return { data: items.map(projectV2Member), page };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...collection, method: "POST", status: 201, audit: "add member" },
    summary: "Take a person into an organization",
    description: "With `password`, makes an account for somebody who has none.",
    params: UuidParams,
    body: MemberBody,
    response: V2Member,
    async handler(own, { params, body }) {
      const member = await addMember(own, { ...body, organization: params.uuid });
      return { data: projectV2Member(member), auditId: member.id };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...item, method: "PUT", audit: "change role", failures: [409] },
    summary: "Give a member another role",
    params: ItemParams,
    body: RoleBody,
    response: V2Member,
    async handler(own, { params, body }) {
      const member = parseId(params.user);
      const changed = await changeRole(own, { organization: params.uuid, member, role: body.role });
      return { data: projectV2Member(changed), auditId: changed.id };
    },
  });
  defineRoute(app, ctx, {
    ...{ ...item, method: "DELETE", audit: "remove member", failures: [409] },
    summary: "End a membership, with its keys and sessions",
    params: ItemParams,
    response: Deleted,
    async handler(own, { params }) {
      const id = await removeMember(own, { organization: params.uuid, member: parseId(params.user) });
      return { data: { id }, auditId: id };
    },
  });
}
