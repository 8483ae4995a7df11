import { type Static, Type } from "typebox";
import type { Member } from "../../store/queries/members.ts";
import type { OwnOrganization } from "../../store/queries/organizations.ts";
import { oneOf, Timestamp, timestamp } from "../field.ts";
import { ROLES } from "../legacy/organizations.ts";

export const V2Organization = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String({ format: "uuid" }),
    name: Type.String(),
    slug: Type.String(),
    plan: Type.String({ examples: ["expert"] }),
    reports: Type.Boolean({ description: "Whether the Reports add-on is on." }),
    role: oneOf(ROLES, { description: "Yours in it." }),
    created_at: Timestamp,
  },
  { title: "V2Organization" },
);

export const V2Member = Type.Object(
  {
    id: Type.Integer({ description: "Of the person." }),
    uuid: Type.String({ format: "uuid" }),
    email: Type.String(),
    name: Type.String(),
    role: oneOf(ROLES),
    joined_at: Timestamp,
  },
  { title: "V2Member" },
);

export function projectV2Organization(row: OwnOrganization): Static<typeof V2Organization> {
  const { id, uuid, name, slug, plan, reports, role } = row;
  return { id, uuid, name, slug, plan, reports, role, created_at: timestamp(row.createdAt) };
}

export function projectV2Member(row: Member): Static<typeof V2Member> {
  const { id, uuid, email, name, role } = row;
  return { id, uuid, email, name, role, joined_at: timestamp(row.joinedAt) };
}
