import { type Static, Type } from "typebox";
import { ROLES } from "../account/scopes.ts";
import type { Member } from "../store/queries/members.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { oneOf, Timestamp } from "./field.ts";
import { shown } from "./shown.ts";

export const Organization = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String({ format: "uuid" }),
    name: Type.String(),
    slug: Type.String(),
    plan: Type.String({ examples: ["expert"] }),
    reports: Type.Boolean({ description: "Whether the Reports add-on is on." }),
    role: oneOf(ROLES, { description: "Yours in it." }),
    createdAt: Timestamp,
  },
  { title: "Organization" },
);

export const OrganizationMember = Type.Object(
  {
    id: Type.Integer({ description: "Of the person." }),
    uuid: Type.String({ format: "uuid" }),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(ROLES),
    joinedAt: Timestamp,
  },
  { title: "Member" },
);

export const projectOrganization = (organization: OwnOrganization): Static<typeof Organization> =>
  shown(Organization, organization);

export const projectMember = (member: Member): Static<typeof OrganizationMember> =>
  shown(OrganizationMember, member);
