import { randomUUIDv7 } from "node:crypto";
import { type Static, Type } from "typebox";
import { assertAddressConfirmed, takeExternalMailQuota } from "../alerts/mail/external-mail.ts";
import { isMailable, mailedLink, sendMail, sendsMail } from "../alerts/mail/send-mail.ts";
import { countDeliveries } from "../alerts/queries/outbox.ts";
import { confirmUserEmail } from "../alerts/queries/own-channels.ts";
import { assertMayGrant, findOrganizationNamed } from "../platform/access/check-access.ts";
import { findMember } from "../platform/access/queries/members.ts";
import { findOrganizationOf, listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { findUser, findUserByEmail, isEmailConfirmed } from "../platform/access/queries/users.ts";
import type { Role } from "../platform/access/roles-and-scopes.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, notFound, PublicError, unauthenticated } from "../platform/errors.ts";
import { isEmail, normalizeEmail, notAnEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { readerOf } from "../platform/i18n/reader.ts";
import { Deleted, IdParams, IdText, sentenceOf } from "../platform/operations/field.ts";
import { type Running, type Subject, verb } from "../platform/operations/operation.ts";
import { NewestFirstQuery, pageOf } from "../platform/operations/paging.ts";
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
  countOtherInvitations,
  deleteInvitation,
  findInvitation,
  insertMember,
  isInvited,
  listInvitationsOf,
  type OwnInvitation,
  listInvitations as queryInvitations,
  saveInvitation,
} from "./queries/members.ts";
import {
  CreatedInvitation,
  Invitation,
  InvitationCode,
  InvitationKey,
  InvitationLookup,
  InvitationPreview,
  MyInvitation,
  NewInvitation,
  Organization,
  projectInvitation,
  projectInvitationPreview,
  projectMyInvitation,
  projectOrganization,
} from "./schemas/organizations.ts";
import { hashCode, randomCode } from "./spoken-code.ts";

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

const VALID_MS = 30 * 86_400_000;

/** A later mail would only surprise. */
const WORTH_MS = 86_400_000;

const HOUR_MS = 3_600_000;

/** Within an hour, from all organizations of one person to one address. */
const MAX_AN_HOUR = 5;

/**
 * Replaces an invitation of the same address (lower case). The mailed code differs from the answer's, so it
 * proves the address. Without mail the answer says why; for an address with an invitation, where only the
 * mail would be new, that throws 403 or 429.
 */
async function sendInvitation(
  ctx: Running,
  { email, role }: { email: string; role: Role },
): Promise<Static<typeof CreatedInvitation>> {
  const { db, clock } = ctx;
  const { organizationId, userId } = ctx.caller;
  const now = clock.now();
  const code = randomCode();
  const isMailed = sendsMail(ctx.config) && isMailable(email);
  const refusal = isMailed ? await mailRefusal(ctx, email) : null;
  if (refusal && (await isInvited(db, { organizationId, email }, now))) throw refusal;
  const mailedCode = isMailed && !refusal ? randomCode() : null;
  const invitation = {
    uuid: randomUUIDv7(),
    organizationId,
    email,
    role,
    invitedBy: userId,
    expiresAt: now + VALID_MS,
    codeHash: hashCode(code),
    mailedCodeHash: mailedCode && hashCode(mailedCode),
  };
  const id = await saveInvitation(db, invitation, now);
  const saved = await findInvitation(db, { organizationId }, { id }, now);
  if (!saved) throw notFound();
  if (mailedCode) await mailInvitation(ctx, saved, mailedCode);
  ctx.record({ id, name: email, after: role });
  const reason = refusal?.descriptor ?? null;
  return {
    ...projectInvitation(saved),
    code,
    sent: mailedCode !== null,
    notSentReason: sentenceOf(reason),
    notSentReasonFact: reason,
  };
}

async function mailInvitation(ctx: Running, invitation: OwnInvitation, code: string): Promise<void> {
  const { email, organizationId, organizationName, invitedBy, role, expiresAt } = invitation;
  const reader = readerOf(await findUserByEmail(ctx.db, email), ctx.caller.language);
  const params = {
    name: invitedBy,
    organization: organizationName,
    role,
    email,
    until: new Date(expiresAt).toISOString(),
  };
  const link = `${mailedLink(ctx.config, "/invitation")}#${code}`;
  const mail = { kind: "invitation", reader, params, link } as const;
  await sendMail(ctx, { to: email, mail, organizationId, worthMs: WORTH_MS });
}

/** An error as the reason, or null: the mail has been counted. */
async function mailRefusal(ctx: Running, email: string): Promise<PublicError | null> {
  try {
    await assertFew(ctx, email);
    return null;
  } catch (error) {
    if (error instanceof PublicError) return error;
    throw error;
  }
}

/** Throws 429 for too many mails to the address within an hour, or to others within a day. */
async function assertFew(ctx: Running, recipient: string): Promise<void> {
  const { db, clock, caller } = ctx;
  await assertAddressConfirmed(ctx);
  // In all of the caller's organizations, since another one is quickly made.
  const organizationIds = (await listOrganizationsOf(db, caller.userId)).map(({ id }) => id);
  const sent = await countDeliveries(db, { organizationIds, recipient }, clock.now() - HOUR_MS);
  if (sent >= MAX_AN_HOUR) throw tooMany();
  await takeExternalMailQuota(ctx, recipient);
}

const tooMany = () =>
  new PublicError("rate_limited", msg("mail.many"), { retryAfterSeconds: HOUR_MS / 1000 });

/** Protects the table. */
export const MAX_OPEN_INVITATIONS = 200;

/**
 * The answer is the same whether or not the address has an account. The code proves the address: by mail, or
 * handed over. Inviting again replaces the invitation. Throws 403 when only an owner may grant the role, 422
 * for a malformed address or a member's. The answer says why no mail was sent.
 */
export const inviteMember = verb({
  resource: "organization",
  action: "write",
  audit: "invite member",
  input: NewInvitation,
  output: CreatedInvitation,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const { db, clock } = ctx;
    const { organizationId } = ctx.caller;
    assertMayGrant(ctx.caller, input.role);
    const email = normalizeEmail(input.email);
    if (!isEmail(email)) throw invalidInput({ email: [notAnEmail()] });
    const known = await findUserByEmail(db, email);
    if (known && (await findMember(db, organizationId, { id: known.id }))) {
      throw invalidInput({ email: [msg("account.member")] });
    }
    const now = clock.now();
    if ((await countOtherInvitations(db, { organizationId, email }, now)) >= MAX_OPEN_INVITATIONS)
      throw tooManyInvitations();
    return sendInvitation(ctx, { email, role: input.role });
  },
});

const tooManyInvitations = () =>
  new PublicError("quota_reached", msg("quota.invitations", { limit: MAX_OPEN_INVITATIONS }));

/**
 * With a new code and its full time; the caller becomes the inviter. Throws 404 for an unknown one, 403 when
 * only an owner may grant its role, 429 for too many mails.
 */
export const resendInvitation = verb({
  resource: "organization",
  action: "write",
  audit: "resend invitation",
  input: InvitationKey,
  output: CreatedInvitation,
  find: findOrganizationNamed,
  async run(ctx, input) {
    const found = await invitationOfOrganization(ctx, input.invitation);
    assertMayGrant(ctx.caller, found.role);
    return sendInvitation(ctx, found);
  },
});
