import { randomUUIDv7 } from "node:crypto";
import type { Static } from "typebox";
import { assertAddressConfirmed, takeExternalMailQuota } from "../alerts/mail/external-mail.ts";
import { isMailable, mailedLink, sendMail, sendsMail } from "../alerts/mail/send-mail.ts";
import { countDeliveries } from "../alerts/queries/outbox.ts";
import { assertMayGrant } from "../platform/access/access.ts";
import { findMember } from "../platform/access/queries/members.ts";
import { listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { findUserByEmail } from "../platform/access/queries/users.ts";
import { findOrganizationNamed } from "../platform/access/resolve-organization.ts";
import type { Role } from "../platform/access/scopes.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { isEmail, normalizeEmail, notAnEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { readerOf } from "../platform/i18n/reader.ts";
import { sentenceOf } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { invitationOfOrganization } from "./own-invitation.ts";
import {
  countOtherInvitations,
  findInvitation,
  isInvited,
  type OwnInvitation,
  saveInvitation,
} from "./queries/members.ts";
import {
  CreatedInvitation,
  InvitationKey,
  NewInvitation,
  projectInvitation,
} from "./schemas/organizations.ts";
import { hashCode, randomCode } from "./spoken-code.ts";

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
