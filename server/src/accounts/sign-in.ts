import { verifyPassword } from "../platform/access/password.ts";
import { hasRecoveryCode, useRecoveryCode } from "../platform/access/queries/api-keys.ts";
import { listOrganizationsOf } from "../platform/access/queries/organizations.ts";
import { insertSession } from "../platform/access/queries/sessions.ts";
import { findUserByEmail, lockUser, type User } from "../platform/access/queries/users.ts";
import { hashToken, randomToken } from "../platform/access/random-tokens.ts";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { type Before, type Running, verb } from "../platform/operations/operation.ts";
import { joinOrganization } from "./invitations.ts";
import { invitationTo, takeInvitation } from "./own-invitation.ts";
import { useTotpStep } from "./queries/users.ts";
import { SignedIn, SignInBody } from "./schemas/credentials.ts";
import { dropSession } from "./sign-out.ts";
import { hashCode } from "./spoken-code.ts";
import { stepOf } from "./two-factor.ts";

const MAX_USER_AGENT_LENGTH = 300;

export interface StartedSession {
  /** For the cookie; only its hash is stored. */
  token: string;
  userId: number;
  organizationId: number;
}

/**
 * In that organization, else in their oldest that is not to be deleted, if any. Throws 422 for a person
 * without organization.
 */
export async function startSession(
  { clock, visitor, db }: Running<"anyone">,
  userId: number,
  wanted?: number,
): Promise<StartedSession> {
  const organizations = await listOrganizationsOf(db, userId);
  const organization =
    organizations.find(({ id }) => id === wanted) ??
    organizations.find(({ deletesAt }) => deletesAt === null) ??
    organizations[0];
  if (!organization) {
    throw invalidInput({ email: [msg("account.homeless")] });
  }
  const token = randomToken();
  const session = {
    tokenHash: hashToken(token),
    userId,
    organizationId: organization.id,
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
  await insertSession(db, session, clock.now());
  return { token, userId, organizationId: organization.id };
}

/**
 * Replaces the visitor's session. With an invitation it starts in that organization, also for people without
 * another. Unknown e-mails and wrong passwords get the same answer in the same time. Throws 422, on `code`
 * for a missing or wrong one-time code, on `invitation` for an invalid one; 429 after too many guesses.
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
    // Credentials changed during verification end this sign-in like the sessions.
    const now = await lockUser(ctx.db, user.id);
    if (now?.passwordHash !== user.passwordHash || now.totpSecret !== user.totpSecret)
      throw wrongCredentials();
    // In this transaction: the code of a failed sign-in stays valid.
    if (second && !(await useSecond(ctx.db, user.id, second))) throw wrongCode();
    if (invitation && code !== undefined) await joinOrganization(ctx, invitation, { userId: user.id, code });
    const started = await startSession(ctx, user.id, invitation?.organizationId);
    await dropSession(ctx);
    ctx.record({ ...started, id: user.id });
    return started;
  },
});

const wrongCredentials = () => invalidInput({ email: [msg("account.credentials")] });

const wrongCode = () => invalidInput({ code: [msg("account.code")] });

/** The time step of an authenticator's code, or a recovery code. */
type Second = { step: number } | { hash: string };

/** Does not use the code up. Throws 422 for a missing, wrong or used one, 429 after too many guesses. */
async function checkCode(ctx: Before<"anyone">, user: User, code: string | undefined): Promise<Second> {
  if (code === undefined) throw invalidInput({ code: [msg("input.required", { field: "code" })] });
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

/** Uses it up; false when it was used before. */
const useSecond = (db: Db, userId: number, second: Second): Promise<boolean> =>
  "step" in second ? useTotpStep(db, userId, second.step) : useRecoveryCode(db, userId, second.hash);
