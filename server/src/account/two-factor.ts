import { Type } from "typebox";
import { invalidInput, PublicError, unauthenticated } from "../errors.ts";
import { countRecoveryCodes, replaceRecoveryCodes } from "../store/queries/api-keys.ts";
import { findUser, updateUser } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { RecoveryCodes, Totp, TwoFactor } from "../wire/auth.ts";
import { CodeBody, PasswordBody } from "../wire/credentials.ts";
import { confirmPassword, lockConfirmed } from "./confirm-password.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { dropOtherSessions } from "./sessions.ts";
import { newTotpSecret, totpUri, useCode } from "./totp.ts";

const own = { resource: null, by: "session", action: "write" } as const;

/**
 * Offers a new secret for two-factor sign-in; it counts once a code has confirmed it. Throws 422 for a wrong password: a
 * stolen session alone must not shut its owner out; 409 when two-factor sign-in is on already.
 */
export const startTotp = verb({
  ...own,
  audit: "start two-factor",
  input: PasswordBody,
  output: Totp,
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    const { db, clock, secrets } = ctx;
    // Locked: a secret that is offered while another is being confirmed would replace that.
    const user = await lockConfirmed(ctx, verifiedHash);
    if (user.totpSecret !== null) {
      throw new PublicError("conflict", fact("account.two_factor_on"));
    }
    const secret = newTotpSecret();
    await updateUser(db, user.id, { totpPending: secrets.seal(secret) }, clock.now());
    return { secret, uri: totpUri(secret, user.email) };
  },
});

/**
 * Turns two-factor sign-in on with the first code of the offered secret, and ends the person's other
 * sessions. Gives ten recovery codes, this once. Throws 409 when none was offered, 422 for a wrong code.
 */
export const confirmTotp = verb({
  ...own,
  audit: "enable two-factor",
  input: CodeBody,
  output: RecoveryCodes,
  async run(ctx, { code }) {
    const { db, clock } = ctx;
    const { userId } = ctx.caller;
    const user = await findUser(db, userId);
    if (!user?.totpPending) throw new PublicError("conflict", fact("account.two_factor_secret"));
    const secret = ctx.secrets.open(user.totpPending);
    if (!(await useCode(db, clock.now(), { userId, secret, code }))) {
      throw invalidInput({ code: [fact("account.code")] });
    }
    await updateUser(db, userId, { totpSecret: user.totpPending, totpPending: null }, clock.now());
    await dropOtherSessions(ctx);
    return { recoveryCodes: await newRecoveryCodes(db, userId, clock.now()) };
  },
});

/** Turns two-factor sign-in off. Throws 422 for a wrong password: a stolen session alone must not do it. */
export const disableTotp = verb({
  ...own,
  audit: "disable two-factor",
  input: PasswordBody,
  output: Type.Object({}),
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    const { id } = await lockConfirmed(ctx, verifiedHash);
    const now = ctx.clock.now();
    await updateUser(ctx.db, id, { totpSecret: null, totpPending: null }, now);
    await replaceRecoveryCodes(ctx.db, id, [], now);
    return {};
  },
});

/** Whether the caller's sign-in takes two factors. */
export const readTwoFactor = verb({
  ...own,
  action: "read",
  input: Type.Object({}),
  output: TwoFactor,
  async run({ db, caller }) {
    const user = await findUser(db, caller.userId);
    if (!user) throw unauthenticated();
    return {
      enabled: user.totpSecret !== null,
      recoveryCodesLeft: await countRecoveryCodes(db, caller.userId),
    };
  },
});
