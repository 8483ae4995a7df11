import { invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { hasRecoveryCode, useRecoveryCode } from "../store/queries/api-keys.ts";
import { findUserByEmail, lockUser, type User, useTotpStep } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { type Before, verb } from "../verb/verb.ts";
import { SignedIn, SignInBody } from "../wire/credentials.ts";
import { joinOrganization } from "./join-organization.ts";
import { invitationTo, takeInvitation } from "./own-invitation.ts";
import { verifyPassword } from "./password.ts";
import { dropSession } from "./sign-out.ts";
import { hashCode } from "./spoken-code.ts";
import { startSession } from "./start-session.ts";
import { stepOf } from "./totp.ts";

/**
 * Starts a session, and ends the one that the visitor comes with. With an invitation, they join its organization, and the
 * session starts there: so may somebody who belongs to none any more. An unknown e-mail and a wrong password get the same
 * answer after the same work. Throws 422, on `code` when the password is right and a one-time code is missing or
 * wrong, on `invitation` for one that is worth nothing; 429 after too many wrong guesses.
 */
export const signIn = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: "sign in",
  input: SignInBody,
  output: SignedIn,
  async prepare(ctx, { email, password, code, invitation }) {
    // Before anything counts as a guess.
    if (invitation !== undefined) await invitationTo({ ...ctx, db: ctx.store.db }, { invitation, email });
    const { guesses, isKnown: first = false } = ctx.visitor;
    const passwordWasRight = await guesses?.password();
    const user = await findUserByEmail(ctx.store.db, email);
    const right = await verifyPassword(password, user?.passwordHash ?? null, { first });
    if (right) await passwordWasRight?.();
    if (!user || !right) throw wrongCredentials();
    return { user, second: user.totpSecret === null ? null : await checkCode(ctx, user, code) };
  },
  async run(ctx, { invitation: code }, { user, second }) {
    const invitation =
      code === undefined ? undefined : await takeInvitation(ctx, { invitation: code, email: user.email });
    // Changed while they were being verified, they end this sign-in as they have ended the sessions.
    const now = await lockUser(ctx.db, user.id);
    if (now?.passwordHash !== user.passwordHash || now.totpSecret !== user.totpSecret)
      throw wrongCredentials();
    // Used up with what it is for: a code that let nobody in is still good.
    if (second && !(await useSecond(ctx.db, user.id, second))) throw wrongCode();
    if (invitation && code !== undefined) await joinOrganization(ctx, invitation, { userId: user.id, code });
    const started = await startSession(ctx, user.id, invitation?.organizationId);
    await dropSession(ctx);
    ctx.record({ ...started, id: user.id });
    return started;
  },
});

const wrongCredentials = () => invalidInput({ email: [fact("account.credentials")] });

const wrongCode = () => invalidInput({ code: [fact("account.code")] });

/** What somebody has shown besides the password: the time step of a code from the authenticator, or a recovery code. */
type Second = { step: number } | { hash: string };

/** Reads a code, which is not used up by this. Throws 422 for one that is missing, wrong or used, 429 for a guesser. */
async function checkCode(ctx: Before<"anyone">, user: User, code: string | undefined): Promise<Second> {
  if (code === undefined) throw invalidInput({ code: [fact("input.required", { field: "code" })] });
  const codeWasRight = await ctx.visitor.guesses?.code(user.id);
  const secret = ctx.secrets.open(user.totpSecret ?? "");
  const step = stepOf(ctx.clock.now(), { secret, code });
  const hash = hashCode(code);
  const isRight =
    step === null ? await hasRecoveryCode(ctx.store.db, user.id, hash) : step > user.totpLastStep;
  if (!isRight) throw wrongCode();
  await codeWasRight?.();
  return step === null ? { hash } : { step };
}

/** Whether it was still unused; it is used up by this. */
const useSecond = (db: Db, userId: number, second: Second): Promise<boolean> =>
  "step" in second ? useTotpStep(db, userId, second.step) : useRecoveryCode(db, userId, second.hash);
