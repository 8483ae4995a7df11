import { type Static, Type } from "typebox";
import type { Plan } from "../account/plans.ts";
import { ROLES } from "../account/scopes.ts";
import type { Member } from "../store/queries/members.ts";
import type { OrganizationUsage, OwnOrganization } from "../store/queries/organizations.ts";
import { IdText, nullable, oneOf, shown, Timestamp } from "./field.ts";

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

const quota = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ minimum: 0, examples: [12] }),
      limit: nullable(Type.Integer({ examples: [100] }), "How many there may be; null: any number."),
    },
    { description },
  );
const requests = (of: string) =>
  Type.Integer({ description: `${of}, a minute and person.`, examples: [300] });

/** GET /api/organizations/{id}/usage. */
export const Usage = Type.Object(
  {
    plan: Type.String({ examples: ["pro"] }),
    reports: Type.Boolean({ description: "Whether the Reports add-on is on." }),
    monitors: quota("Domains and services together."),
    domains: Type.Integer({ description: "How many of the monitors are domains.", examples: [9] }),
    services: Type.Integer({ description: "How many of them are services.", examples: [3] }),
    devices: quota("Devices whose agents report."),
    members: quota("People in the organization."),
    invitations: quota("Invitations that are open."),
    apiKeys: quota("API keys that have not expired."),
    minCheckInterval: Type.Integer({ description: "Smallest check interval, seconds.", examples: [60] }),
    locationsPerMonitor: nullable(
      Type.Integer({ examples: [3] }),
      "Locations that one monitor may be checked from; null: all.",
    ),
    rawResultDays: Type.Integer({ description: "Days that each single result is kept.", examples: [30] }),
    requestsPerMinute: Type.Object({
      read: requests("Requests that read"),
      write: requests("Requests that write"),
      toolbox: requests("Requests to the toolbox"),
    }),
  },
  { title: "OrganizationUsage" },
);

/** A plan and what is used of it. `invitations`: how many may be open. */
export function projectUsage(known: {
  plan: Plan;
  reports: boolean;
  used: OrganizationUsage;
  invitations: number;
}): Static<typeof Usage> {
  const { plan, reports, used } = known;
  const { domains, services } = used;
  return {
    plan: plan.name,
    reports,
    monitors: { used: domains + services, limit: plan.monitors },
    domains,
    services,
    devices: { used: used.devices, limit: plan.devices },
    members: { used: used.members, limit: null },
    invitations: { used: used.invitations, limit: known.invitations },
    apiKeys: { used: used.apiKeys, limit: null },
    minCheckInterval: plan.minIntervalSeconds,
    locationsPerMonitor: plan.locationsPerMonitor,
    rawResultDays: plan.rawResultDays,
    requestsPerMinute: plan.requestsPerMinute,
  };
}
