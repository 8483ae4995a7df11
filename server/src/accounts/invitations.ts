import { Type } from "typebox";
import { confirmUserEmail } from "../alerts/queries/own-channels.ts";
import { assertMayGrant } from "../platform/access/access.ts";
import type { Subject } from "../platform/access/audit.ts";
import { hashPassword } from "../platform/access/password.ts";
import { findMember } from "../platform/access/queries/members.ts";
import { findOrganizationOf } from "../platform/access/queries/organizations.ts";
import { findUser, findUserByEmail, isEmailConfirmed } from "../platform/access/queries/users.ts";
import { findOrganizationNamed } from "../platform/access/resolve-organization.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/db.ts";
import { invalidInput, notFound, PublicError, unauthenticated } from "../platform/errors.ts";
import { checkName, normalizeEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted, IdParams, IdText } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { NewestFirstQuery, pageOf } from "../platform/operations/page.ts";
import { checkCredentials } from "./credentials.ts";
import { createOrganization } from "./organizations.ts";
import {
  invitationOfOrganization,
  invitationWith,
  isCodeOf,
  isGood,
  isMailedCodeOf,
  lockedInvitation,
  ownInvitation,
} from "./own-invitation.ts";
import {
  deleteInvitation,
  insertMember,
  listInvitationsOf,
  type OwnInvitation,
  listInvitations as queryInvitations,
} from "./queries/members.ts";
import { NewMember, OrganizationName } from "./schemas/credentials.ts";
import {
  Invitation,
  InvitationCode,
  InvitationKey,
  InvitationLookup,
  InvitationPreview,
  MyInvitation,
  Organization,
  OrganizationMember,
  projectInvitation,
  projectInvitationPreview,
  projectMember,
  projectMyInvitation,
  projectOrganization,
} from "./schemas/organizations.ts";
import { addUser } from "./users.ts";

/** Newest first. Throws 404 if it is not the caller's organization. */
export const listInvitations = verb({
  resource: "organization",
  action: "read",
  input: Type.Object({ organization: IdText, ...NewestFirstQuery }),
  output: Type.Array(Invitation),
  paged: true,
  find: findOrganizationNamed,
  async run({ db, caller, clock }, input) {
    const open = await queryInvitations(db, caller.organizationId, clock.now());
    return pageOf(open.map(projectInvitation), input);
  },
});

/** Newest first. */
export const listOwnInvitations = verb({
  resource: null,
  by: "session",
  action: "read",
  input: Type.Object(NewestFirstQuery),
  output: Type.Array(MyInvitation),
  paged: true,
  async run({ db, caller, clock }, input) {
    const user = await findUser(db, caller.userId);
    if (!user) throw unauthenticated();
    const open = await listInvitationsOf(db, user.email, clock.now());
    return pageOf(open.filter(isGood).map(projectMyInvitation), input);
  },
});

interface Joining {
  db: Db;
  clock: Clock;
  record(subject: Subject): void;
}

/**
 * Uses up the invitation, with an audit row. A present member keeps their role. The mailed `code` proves the
 * address.
 */
export async function joinOrganization(
  { db, clock, record }: Joining,
  invitation: OwnInvitation,
  { userId, code }: { userId: number; code: string },
): Promise<void> {
  const { organizationId, organizationName, role } = invitation;
  if (isMailedCodeOf(invitation, code) && !(await isEmailConfirmed(db, userId)))
    await confirmUserEmail(db, userId, clock.now());
  const isNew = await insertMember(db, { userId, organizationId, role }, clock.now());
  record({
    action: "accept invitation",
    id: organizationId,
    name: organizationName,
    ...(isNew && { after: role }),
    organizationId,
    userId,
  });
}

/**
 * Accepts once. Throws 404 if it is not the caller's invitation, 422 without its code: an unverified e-mail
 * address does not prove who was meant.
 */
export const acceptInvitation = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "accept invitation",
  input: Type.Object({ id: IdText, ...InvitationCode.properties }, { title: "InvitationCode" }),
  output: Organization,
  async run(ctx, input) {
    const { db } = ctx;
    const { userId } = ctx.caller;
    const invitation = await lockedInvitation(db, () => ownInvitation(ctx, input.id));
    if (!isCodeOf(invitation, input.code)) throw wrongCode();
    if (!(await deleteInvitation(db, invitation))) throw notFound();
    await joinOrganization(ctx, invitation, { userId, code: input.code });
    const organization = await findOrganizationOf(db, userId, { id: invitation.organizationId });
    if (!organization) throw notFound();
    return projectOrganization(organization);
  },
});

const wrongCode = () => invalidInput({ code: [msg("account.invitation_code")] });

/**
 * For people without an account; others are invited (inviteMember). Throws 422 for invalid input or an
 * address with an account, 403 when only an owner may grant the role.
 */
export const addMember = verb({
  resource: "organization",
  action: "write",
  audit: "add member",
  input: NewMember,
  output: OrganizationMember,
  find: findOrganizationNamed,
  async prepare({ caller }, { role, email, password }) {
    assertMayGrant(caller, role);
    checkCredentials({ email: normalizeEmail(email), password });
    return hashPassword(password);
  },
  async run(ctx, { email, name, role }, passwordHash) {
    const { organizationId } = ctx.caller;
    const { id } = await addUser(ctx, { email, name, passwordHash });
    await insertMember(ctx.db, { userId: id, organizationId, role }, ctx.clock.now());
    const member = await findMember(ctx.db, organizationId, { id });
    if (!member) throw notFound();
    ctx.record({ id, name: member.name, after: role });
    return projectMember(member);
  },
});

/** Throws 404 for an unknown one. */
export const cancelInvitation = verb({
  resource: "organization",
  action: "write",
  audit: "cancel invitation",
  input: InvitationKey,
  output: Deleted,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const found = await invitationOfOrganization(ctx, input.invitation);
    if (!(await deleteInvitation(ctx.db, found))) throw notFound();
    ctx.record({ id: found.id, name: found.email, before: found.role });
    return { id: found.id };
  },
});

/** Throws 404 if it is not the caller's. */
export const declineInvitation = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "decline invitation",
  input: IdParams,
  output: Deleted,
  async run(ctx, input) {
    const invitation = await ownInvitation(ctx, input.id);
    const { id, organizationId } = invitation;
    if (!(await deleteInvitation(ctx.db, invitation))) throw notFound();
    ctx.record({ id, organizationId });
    return { id };
  },
});

/**
 * For holders of the code: also whether its address has an account, which decides what they do next. Throws
 * 422 for an invalid or expired code.
 */
export const readInvitation = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: InvitationLookup,
  output: InvitationPreview,
  async run(ctx, { invitation: code }) {
    const invitation = await invitationWith(ctx, code);
    const user = await findUserByEmail(ctx.db, invitation.email);
    return projectInvitationPreview({ ...invitation, hasAccount: user !== undefined });
  },
});

/** Owned by the caller. Throws 422 for an empty or overlong name, 403 for a key that could not act in it. */
export const foundOrganization = verb({
  resource: "organization",
  action: "write",
  audit: "create organization",
  input: OrganizationName,
  output: Organization,
  async run(ctx, input) {
    const { allOrganizations, userId } = ctx.caller;
    if (!allOrganizations) throw ownOnly();
    const founding = { name: checkName(input.name), ownerId: userId };
    return projectOrganization(await createOrganization(ctx, founding));
  },
});

const ownOnly = () => new PublicError("forbidden", msg("access.own_organization"));
