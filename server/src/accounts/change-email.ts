import { Type } from "typebox";
import { requestConsentOfFormerMember } from "../alerts/channels/delivery.ts";
import { takeExternalMailQuota } from "../alerts/mail/external-mail.ts";
import { isMailable, mailedLink, sendMail } from "../alerts/mail/send-mail.ts";
import { lockAddress } from "../alerts/queries/outbox.ts";
import { confirmUserEmail } from "../alerts/queries/own-channels.ts";
import {
  MAILED_MS,
  makeMailedToken,
  readMailedToken,
  takeMailedToken,
} from "../platform/access/mailed-tokens.ts";
import { listOrganizationsOf, lockOrganization } from "../platform/access/queries/organizations.ts";
import { deleteMailedTokens, findUser, findUserByEmail, lockUser } from "../platform/access/queries/users.ts";
import { invalidInput, unauthenticated } from "../platform/errors.ts";
import { ianaName } from "../platform/formats/formats.ts";
import { checkName, isEmail, normalizeEmail, notAnEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { readerOf, readerOfRequest } from "../platform/i18n/reader.ts";
import { verb } from "../platform/operations/operation.ts";
import { describe } from "./describe-caller.ts";
import { confirmPassword, lockConfirmed } from "./passwords.ts";
import { updateUser } from "./queries/users.ts";
import { Me, PreferencesChange } from "./schemas/auth.ts";
import { EmailChange, MailedTokenBody, ProfileBody } from "./schemas/credentials.ts";

const purpose = "change email";
/** The notification is useful for a day. */
const NOTIFIED_FOR_MS = 86_400_000;

/**
 * Mails a link to the new address, which becomes the caller's once they follow it; only that mail says
 * whether it has an account. Throws 422 for a wrong password or a malformed address, 403 where no mail is
 * sent, 429.
 */
export const requestEmailChange = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "request email change",
  input: EmailChange,
  output: Type.Object({}),
  async prepare(ctx, input) {
    const page = mailedLink(ctx.config, "/confirm-email");
    return { page, verifiedHash: await confirmPassword(ctx, input) };
  },
  async run(ctx, input, { page, verifiedHash }) {
    const { db } = ctx;
    const email = normalizeEmail(input.email);
    if (!isEmail(email) || !isMailable(email)) throw invalidInput({ email: [notAnEmail()] });
    // Addresses are locked before people (docs/adr/0014).
    await takeExternalMailQuota(ctx, email);
    const user = await lockConfirmed(ctx, verifiedHash);
    if (email === user.email) throw invalidInput({ email: [msg("account.own_email")] });
    // Only the last link works.
    await deleteMailedTokens(db, user.id, purpose);
    const token = await makeMailedToken(ctx, { userId: user.id, purpose, email });
    // Without the person's name: the address may be another's, who must not get text of the sender's choice.
    const params = { email };
    const mail = {
      kind: "confirm",
      reader: readerOf(user, ctx.caller.language),
      params,
      link: `${page}#${token}`,
    } as const;
    await sendMail(ctx, { to: email, mail, worthMs: MAILED_MS });
    return {};
  },
});

/**
 * Gives the person the address that this token was sent to, and notifies the old one. Throws 422 for an
 * expired or used token, or an address that is taken by now.
 */
export const confirmEmail = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: null,
  input: MailedTokenBody,
  output: Type.Object({ email: Type.String({ description: "What you sign in with from now on." }) }),
  async run(ctx, { token }) {
    const { db, clock } = ctx;
    const now = clock.now();
    const { userId, email } = await readMailedToken(db, { token, purpose }, now);
    // Channels added concurrently would count the old address as a member's.
    const organizations = (await listOrganizationsOf(db, userId)).toSorted((a, b) => a.id - b.id);
    for (const { id } of organizations) await lockOrganization(db, id);
    // Locked before the person, in the order of confirmation requests (docs/adr/0014).
    await lockAddress(db, normalizeEmail((await findUser(db, userId))?.email ?? ""));
    const user = await lockUser(db, userId);
    if (!user) throw unauthenticated();
    await takeMailedToken(db, { token, purpose }, now);
    if (await findUserByEmail(db, email)) throw invalidInput({ token: [msg("account.email_taken")] });
    await updateUser(db, userId, { email }, now);
    await confirmUserEmail(db, userId, now);
    // Those sent to the old address, too: it is no longer theirs.
    await deleteMailedTokens(db, userId);
    const reader = readerOfRequest(user, ctx.visitor.language);
    const mail = { kind: "changed", reader, params: { email }, link: null } as const;
    await sendMail(ctx, { to: user.email, mail, worthMs: NOTIFIED_FOR_MS });
    for (const { id: organizationId } of await listOrganizationsOf(db, userId)) {
      await requestConsentOfFormerMember(ctx, db, { organizationId, email: user.email });
      ctx.record({ id: userId, name: email, action: "change email", organizationId, userId });
    }
    return { email };
  },
});

/** Throws 422 for an empty or overlong name. */
export const updateProfile = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "update profile",
  input: ProfileBody,
  output: Me,
  async run(ctx, input) {
    await updateUser(ctx.db, ctx.caller.userId, { name: checkName(input.name) }, ctx.clock.now());
    return describe(ctx);
  },
});

/** Absent fields stay. Throws 422 for unknown values. */
export const changePreferences = verb({
  resource: null,
  by: "session",
  action: "write",
  // Concerns only the caller.
  audit: null,
  input: PreferencesChange,
  output: Me,
  async run(ctx, input) {
    const { timeZone, seenTimeZone } = input;
    const change = {
      ...input,
      ...(timeZone && { timeZone: ianaName(timeZone) }),
      ...(seenTimeZone && { seenTimeZone: ianaName(seenTimeZone) }),
    };
    await updateUser(ctx.db, ctx.caller.userId, change, ctx.clock.now());
    return describe(ctx);
  },
});
