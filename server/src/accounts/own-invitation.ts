import { mayGrant } from "../platform/access/check-access.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import { findUser } from "../platform/access/queries/users.ts";
import { managesOrganization } from "../platform/access/roles-and-scopes.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, notFound, unauthenticated } from "../platform/errors.ts";
import { normalizeEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { parseId } from "../platform/operations/field.ts";
import type { Running } from "../platform/operations/operation.ts";
import {
  deleteInvitation,
  findInvitation,
  findInvitationByCode,
  type OwnInvitation,
} from "./queries/members.ts";
import { hashCode, isCode } from "./spoken-code.ts";

interface Reading {
  db: Db;
  clock: Clock;
}

/**
 * An invitation grants no more than its inviter still may, and nothing while the organization waits for its
 * deletion: members of no other could not sign in afterwards.
 */
export const isGood = ({ inviterRole, role, organizationDeletesAt }: OwnInvitation): boolean =>
  organizationDeletesAt === null &&
  inviterRole !== null &&
  managesOrganization(inviterRole) &&
  mayGrant(inviterRole, role);

export const isCodeOf = (invitation: OwnInvitation, code: string): boolean =>
  isCode(code, invitation.codeHash) || isMailedCodeOf(invitation, code);

/** The mailed code proves control of the address. */
export const isMailedCodeOf = ({ mailedCodeHash }: OwnInvitation, code: string): boolean =>
  mailedCodeHash !== null && isCode(code, mailedCodeHash);

/** Throws 404 for another's, and for an invalid one. */
export async function ownInvitation({ db, caller, clock }: Running, id: string): Promise<OwnInvitation> {
  const user = await findUser(db, caller.userId);
  if (!user) throw unauthenticated();
  const invitation = await findInvitation(db, { email: user.email }, parseId(id), clock.now());
  if (!invitation || !isGood(invitation)) throw notFound();
  return invitation;
}

/** Of the caller's present organization. Throws 404 for any other. */
export async function invitationOfOrganization(
  { db, caller, clock }: Running,
  id: string,
): Promise<OwnInvitation> {
  const { organizationId } = caller;
  const invitation = await findInvitation(db, { organizationId }, parseId(id), clock.now());
  if (!invitation) throw notFound();
  return invitation;
}

/** Throws 422 for one that has expired, was used, withdrawn or replaced, or never existed. */
export async function invitationWith({ db, clock }: Reading, code: string): Promise<OwnInvitation> {
  const invitation = await findInvitationByCode(db, hashCode(code), clock.now());
  if (!invitation || !isGood(invitation)) throw noInvitation();
  return invitation;
}

/** For that address alone. Throws 422 for another's. */
export async function invitationTo(
  reading: Reading,
  { invitation: code, email }: { invitation: string; email: string },
): Promise<OwnInvitation> {
  const invitation = await invitationWith(reading, code);
  if (invitation.email !== normalizeEmail(email)) throw noInvitation();
  return invitation;
}

/**
 * Locks what an invitation depends on, its organization's deletion and the inviter's role, until the
 * transaction ends; then reads it again.
 */
export async function lockedInvitation(db: Db, find: () => Promise<OwnInvitation>): Promise<OwnInvitation> {
  const { organizationId } = await find();
  await lockOrganization(db, organizationId);
  return find();
}

/**
 * Of concurrent attempts, one succeeds. Throws 422 for the others. Before its person is locked (ADR 0014).
 */
export async function takeInvitation(
  reading: Reading,
  whose: { invitation: string; email: string },
): Promise<OwnInvitation> {
  const invitation = await lockedInvitation(reading.db, () => invitationTo(reading, whose));
  if (!(await deleteInvitation(reading.db, invitation))) throw noInvitation();
  return invitation;
}

const noInvitation = () => invalidInput({ invitation: [msg("account.invitation")] });
