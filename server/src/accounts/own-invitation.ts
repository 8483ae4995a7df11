import { mayGrant } from "../platform/access/access.ts";
import { lockOrganization } from "../platform/access/queries/organizations.ts";
import { findUser } from "../platform/access/queries/users.ts";
import { managesOrganization } from "../platform/access/scopes.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/db.ts";
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
 * Whether the inviter may still invite: an invitation is worth no more than the person who made it. An organization that
 * waits for its deletion takes nobody in: who belongs to no other could not sign in afterwards.
 */
export const isGood = ({ inviterRole, role, organizationDeletesAt }: OwnInvitation): boolean =>
  organizationDeletesAt === null &&
  inviterRole !== null &&
  managesOrganization(inviterRole) &&
  mayGrant(inviterRole, role);

/** Whether it is accepted with this code. */
export const isCodeOf = (invitation: OwnInvitation, code: string): boolean =>
  isCode(code, invitation.codeHash) || isMailedCodeOf(invitation, code);

/** Whether it is the code in its mail, which nobody has who does not read the mail of its address. */
export const isMailedCodeOf = ({ mailedCodeHash }: OwnInvitation, code: string): boolean =>
  mailedCodeHash !== null && isCode(code, mailedCodeHash);

/** An invitation to the caller. Throws 404 for any other, and for one that is no longer valid. */
export async function ownInvitation({ db, caller, clock }: Running, id: string): Promise<OwnInvitation> {
  const user = await findUser(db, caller.userId);
  if (!user) throw unauthenticated();
  const invitation = await findInvitation(db, { email: user.email }, parseId(id), clock.now());
  if (!invitation || !isGood(invitation)) throw notFound();
  return invitation;
}

/** One of the organization's that the caller acts in. Throws 404 for any other. */
export async function invitationOfOrganization(
  { db, caller, clock }: Running,
  id: string,
): Promise<OwnInvitation> {
  const { organizationId } = caller;
  const invitation = await findInvitation(db, { organizationId }, parseId(id), clock.now());
  if (!invitation) throw notFound();
  return invitation;
}

/** The invitation with this code. Throws 422 for one that has expired, was used, withdrawn or replaced, or never was. */
export async function invitationWith({ db, clock }: Reading, code: string): Promise<OwnInvitation> {
  const invitation = await findInvitationByCode(db, hashCode(code), clock.now());
  if (!invitation || !isGood(invitation)) throw noInvitation();
  return invitation;
}

/** The same for that address alone. Throws 422 for another's. */
export async function invitationTo(
  reading: Reading,
  { invitation: code, email }: { invitation: string; email: string },
): Promise<OwnInvitation> {
  const invitation = await invitationWith(reading, code);
  if (invitation.email !== normalizeEmail(email)) throw noInvitation();
  return invitation;
}

/**
 * What `find` gives of an invitation once nobody else can begin to delete its organization, or take the inviter's role
 * away: that waits for the end of this transaction.
 */
export async function lockedInvitation(db: Db, find: () => Promise<OwnInvitation>): Promise<OwnInvitation> {
  const { organizationId } = await find();
  await lockOrganization(db, organizationId);
  return find();
}

/** Uses it up: of several who try at once, one may. Throws 422 for the others. Before its person is locked (ADR 0014). */
export async function takeInvitation(
  reading: Reading,
  whose: { invitation: string; email: string },
): Promise<OwnInvitation> {
  const invitation = await lockedInvitation(reading.db, () => invitationTo(reading, whose));
  if (!(await deleteInvitation(reading.db, invitation))) throw noInvitation();
  return invitation;
}

const noInvitation = () => invalidInput({ invitation: [msg("account.invitation")] });
