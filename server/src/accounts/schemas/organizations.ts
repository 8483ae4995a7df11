import { type Static, Type } from "typebox";
import type { Plan } from "../../platform/access/plans.ts";
import type { Member } from "../../platform/access/queries/members.ts";
import type { OrganizationUsage, OwnOrganization } from "../../platform/access/queries/organizations.ts";
import { ROLES } from "../../platform/access/roles-and-scopes.ts";
import {
  asSecret,
  IdText,
  MessageSchema,
  nullable,
  oneOf,
  shown,
  Timestamp,
} from "../../platform/operations/field.ts";
import type { OwnInvitation, Invitation as StoredInvitation } from "../queries/members.ts";

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
    rawResultDays: Type.Integer({ description: "Days that each single result is retained.", examples: [30] }),
    requestsPerMinute: Type.Object({
      read: requests("Requests that read"),
      write: requests("Requests that write"),
      toolbox: requests("Requests to the toolbox"),
    }),
  },
  { title: "OrganizationUsage" },
);

/** `invitations`: how many may be open. */
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

const fields = {
  id: Type.Integer(),
  uuid: Type.String({ format: "uuid" }),
  email: Type.String({ examples: ["ada@example.org"] }),
  role: oneOf(ROLES, { description: "The role that the person will have." }),
  invitedBy: Type.String({ description: "Who invited them." }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
};

export const Invitation = Type.Object(fields, { title: "Invitation" });

export const InvitationKey = Type.Object({ organization: IdText, invitation: IdText });

export const CreatedInvitation = Type.Object(
  {
    ...fields,
    code: asSecret(
      Type.String({
        description:
          "What it is accepted with, shown only this once: hand it to the person you mean, as the link `/invitation#CODE` to the app.",
        examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
      }),
    ),
    sent: Type.Boolean({
      description:
        "Whether it goes to the person by mail, whose link has a code of its own: who uses that has the address.",
    }),
    notSentReason: nullable(
      Type.String(),
      "Why no mail goes there: too many mails to others, or your own address is not confirmed. Hand the code over instead. Null: it is sent, or this installation sends no mail.",
    ),
    notSentReasonFact: MessageSchema,
  },
  { title: "CreatedInvitation" },
);

export type CreatedInvitationRow = Static<typeof CreatedInvitation>;

export const MyInvitation = Type.Object(
  { ...fields, organizationName: Type.String({ description: "The organization that invites you." }) },
  { title: "MyInvitation" },
);

export const NewInvitation = Type.Object(
  {
    organization: IdText,
    email: Type.String({ minLength: 1, maxLength: 254, examples: ["ada@example.org"] }),
    role: oneOf(ROLES, { examples: ["member"] }),
  },
  { title: "NewInvitation" },
);

export const InvitationCode = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
      description:
        "From the person who invited you, or from the mail. Spaces, dashes and case do not matter.",
    }),
  },
  { title: "InvitationCode" },
);

const invitationCode = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ["7KQ2M-XW4PA-9DRTZ-H3BFN"],
  description: "The code of an invitation: the end of its link, behind the `#`.",
});

export const InvitationLookup = Type.Object({ invitation: invitationCode }, { title: "InvitationLookup" });

export const InvitationOnSignIn = Type.Optional(
  Type.String({
    ...invitationCode,
    description:
      "The code of an invitation to this address: it is accepted at the same time, and the session starts in its organization.",
  }),
);

export const InvitationPreview = Type.Object(
  {
    ...MyInvitation.properties,
    hasAccount: Type.Boolean({
      description: "Whether the address has an account: sign in with it, or else make one.",
    }),
  },
  { title: "InvitationPreview" },
);

export const projectInvitation = (invitation: StoredInvitation): Static<typeof Invitation> =>
  shown(Invitation, invitation);

export const projectInvitationPreview = (
  invitation: OwnInvitation & { hasAccount: boolean },
): Static<typeof InvitationPreview> => shown(InvitationPreview, invitation);

export const projectMyInvitation = (invitation: OwnInvitation): Static<typeof MyInvitation> =>
  shown(MyInvitation, invitation);
