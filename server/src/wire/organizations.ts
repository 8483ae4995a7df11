import { type Static, Type } from "typebox";
import { ROLES } from "../account/scopes.ts";
import type { Member } from "../store/queries/members.ts";
import type { OwnOrganization } from "../store/queries/organizations.ts";
import { nullable, oneOf, Timestamp } from "./field.ts";
import { IdText } from "./id.ts";
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
    deletesAt: nullable(
      Timestamp,
      "When everything of it will be deleted, ISO 8601; null: it stays. Until then nothing of it is monitored, and an owner may keep it.",
    ),
  },
  { title: "Organization" },
);

/** One of the caller's organizations. */
export const OrganizationRef = Type.Object({ organization: IdText });

export const DeletionOfOrganization = Type.Object({
  ...OrganizationRef.properties,
  name: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: "Needed: the organization's name, to be sure that it is the one you mean.",
      examples: ["Northwind"],
    }),
  ),
});

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
