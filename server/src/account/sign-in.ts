import { invalidInput } from "../errors.ts";
import { useRecoveryCode } from "../store/queries/recovery-codes.ts";
import { findUserByEmail, lockUser, type User } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { type Before, verb } from "../verb/verb.ts";
import { SignedIn, SignInBody } from "../wire/credentials.ts";
import { joinOrganization } from "./join-organization.ts";
import { invitationTo, takeInvitation } from "./own-invitation.ts";
import { verifyPassword } from "./password.ts";
import { dropSession } from "./sign-out.ts";
import { hashCode } from "./spoken-code.ts";
import { startSession } from "./start-session.ts";
import { useCode } from "./totp.ts";

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
    // Before a one-time code is used up.
    if (invitation !== undefined) await invitationTo({ ...ctx, db: ctx.store.db }, { invitation, email });
    const { guesses, isKnown: first = false } = ctx.visitor;
    const passwordWasRight = await guesses?.password();
    const user = await findUserByEmail(ctx.store.db, email);
    const right = await verifyPassword(password, user?.passwordHash ?? null, { first });
    if (right) await passwordWasRight?.();
    if (!user || !right) throw wrongCredentials();
    if (user.totpSecret !== null) await checkCode(ctx, user, code);
    return user;
  },
  async run(ctx, { invitation: code }, user) {
    const invitation =
      code === undefined ? undefined : await takeInvitation(ctx, { invitation: code, email: user.email });
    // Changed while they were being verified, they end this sign-in as they have ended the sessions.
    const now = await lockUser(ctx.db, user.id);
    if (now?.passwordHash !== user.passwordHash || now.totpSecret !== user.totpSecret)
      throw wrongCredentials();
    if (invitation) await joinOrganization(ctx, invitation, user.id);
    const started = await startSession(ctx, user.id, invitation?.organizationId);
    await dropSession(ctx);
    ctx.record({ ...started, id: user.id });
    return started;
  },
});

const wrongCredentials = () => invalidInput({ email: [fact("account.credentials")] });

async function checkCode(ctx: Before<"anyone">, user: User, code: string | undefined): Promise<void> {
  if (code === undefined) throw invalidInput({ code: [fact("input.required", { field: "code" })] });
  const codeWasRight = await ctx.visitor.guesses?.code(user.id);
  const secret = ctx.secrets.open(user.totpSecret ?? "");
  const { db } = ctx.store;
  const isRight =
    (await useCode(db, ctx.clock.now(), { userId: user.id, secret, code })) ||
    (await useRecoveryCode(db, user.id, hashCode(code)));
  if (!isRight) throw invalidInput({ code: [fact("account.code")] });
  await codeWasRight?.();
}
