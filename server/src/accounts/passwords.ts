import { Type } from "typebox";
import { mailedLink, sendMail } from "../alerts/mail/send-mail.ts";
import { confirmUserEmail } from "../alerts/queries/own-channels.ts";
import {
  MAILED_MS,
  makeMailedToken,
  readMailedToken,
  takeMailedToken,
} from "../platform/access/mailed-tokens.ts";
import { hashPassword, verifyPassword } from "../platform/access/password.ts";
import { listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import {
  deleteMailedTokens,
  findUser,
  findUserByEmail,
  lockUser,
  type User,
} from "../platform/access/queries/users.ts";
import { invalidInput, unauthenticated } from "../platform/errors.ts";
import { isEmail, notAnEmail } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { readerOfRequest } from "../platform/i18n/reader.ts";
import { type Before, type Running, verb } from "../platform/operations/operation.ts";
import { checkCredentials } from "./credentials.ts";
import { updateUser } from "./queries/users.ts";
import { PasswordChange } from "./schemas/auth.ts";
import { ForgottenPassword, PasswordReset } from "./schemas/credentials.ts";
import { dropOtherSessions } from "./sign-out.ts";
import { giveBackAccount } from "./users.ts";

/**
 * Ends their other sessions and mailed links. Throws 422 when the present one is wrong or the new one too
 * weak.
 */
export const changePassword = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "change password",
  input: PasswordChange,
  output: Type.Object({}),
  async prepare(ctx, { currentPassword, password }) {
    const user = await findUser(ctx.store.db, ctx.caller.userId);
    if (!user) throw unauthenticated();
    if (!(await verifyPassword(currentPassword, user.passwordHash))) throw wrongPassword();
    checkCredentials({ email: user.email, password });
    return { verifiedHash: user.passwordHash, passwordHash: await hashPassword(password) };
  },
  async run(ctx, _, { verifiedHash, passwordHash }) {
    // Of concurrent changes, the second no longer knows the present password.
    const user = await lockUser(ctx.db, ctx.caller.userId);
    if (user?.passwordHash !== verifiedHash) throw wrongPassword();
    await updateUser(ctx.db, ctx.caller.userId, { passwordHash }, ctx.clock.now());
    await deleteMailedTokens(ctx.db, ctx.caller.userId);
    await dropOtherSessions(ctx);
    return {};
  },
});

const wrongPassword = () => invalidInput({ currentPassword: [msg("account.present_password")] });

/**
 * Required where a stolen session alone must not suffice. Returns the argument of `lockConfirmed`. Throws
 * 422.
 */
export async function confirmPassword(
  { store, caller }: Before,
  { password }: { password: string },
): Promise<string> {
  const user = await findUser(store.db, caller.userId);
  if (!user) throw unauthenticated();
  if (await verifyPassword(password, user.passwordHash)) return user.passwordHash;
  throw wrongPasswordError();
}

/**
 * Locked until the transaction ends. Throws 422 when the password has been changed since it was confirmed.
 */
export async function lockConfirmed({ db, caller }: Running, verifiedHash: string): Promise<User> {
  const user = await lockUser(db, caller.userId);
  if (user?.passwordHash !== verifiedHash) throw wrongPasswordError();
  return user;
}

const wrongPasswordError = () => invalidInput({ password: [msg("account.password")] });

const purpose = "reset password";

/**
 * The answer does not reveal whether the address has an account. Throws 403 where no mail is sent, 422 for a
 * malformed address.
 */
export const requestPasswordReset = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: null,
  input: ForgottenPassword,
  output: Type.Object({}),
  async prepare({ config }, { email }) {
    if (!isEmail(email.trim())) throw invalidInput({ email: [notAnEmail()] });
    return mailedLink(config, "/reset-password");
  },
  async run(ctx, { email, language }, page) {
    const user = await findUserByEmail(ctx.db, email);
    if (!user) return {};
    await lockUser(ctx.db, user.id);
    // Only the last link works.
    await deleteMailedTokens(ctx.db, user.id, purpose);
    const token = await makeMailedToken(ctx, { userId: user.id, purpose, email: user.email });
    const link = `${page}#${token}`;
    const reader = readerOfRequest(user, language ?? ctx.visitor.language);
    const mail = { kind: "reset", reader, params: {}, link } as const;
    await sendMail(ctx, { to: user.email, mail, worthMs: MAILED_MS });
    return {};
  },
});

/**
 * Also revokes access that others may have had (giveBackAccount); two-factor sign-in stays. Throws 422 for an
 * expired or used token, and for a weak password.
 */
export const resetForgottenPassword = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: null,
  input: PasswordReset,
  output: Type.Object({}),
  async prepare({ store, clock }, { token, password }) {
    const { userId } = await readMailedToken(store.db, { token, purpose }, clock.now());
    const user = await findUser(store.db, userId);
    if (!user) throw unauthenticated();
    checkCredentials({ email: user.email, password });
    return { userId, passwordHash: await hashPassword(password) };
  },
  async run(ctx, { token }, { userId, passwordHash }) {
    const { db, clock } = ctx;
    const user = await lockUser(db, userId);
    if (!user) throw unauthenticated();
    await takeMailedToken(db, { token, purpose }, clock.now());
    await updateUser(db, userId, { passwordHash }, clock.now());
    await confirmUserEmail(db, userId, clock.now());
    await giveBackAccount(ctx, userId);
    for (const { id: organizationId } of await listOrganizationsOf(db, userId)) {
      ctx.record({ id: userId, name: user.email, action: "reset password by mail", organizationId, userId });
    }
    return {};
  },
});
