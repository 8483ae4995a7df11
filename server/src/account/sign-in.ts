import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { findUserByEmail, type User } from "../store/queries/users.ts";
import type { GuessLimits } from "./guessing.ts";
import { verifyPassword } from "./password.ts";
import { type Device, type StartedSession, startSession } from "./start-session.ts";
import { useCode } from "./totp.ts";

export interface Credentials {
  email: string;
  password: string;
  /** From the authenticator app, for accounts that have one. */
  code?: string;
}

/**
 * Starts a session. An unknown e-mail and a wrong password get the same answer after the same work.
 * Throws 422, on `code` when the password is right and a one-time code is missing or wrong; 429 after too
 * many wrong guesses.
 */
export async function signIn(
  ctx: Context,
  input: Credentials,
  device: Device,
  limits: GuessLimits,
): Promise<StartedSession> {
  const passwordWasRight = await limits.password();
  const user = await findUserByEmail(ctx.store.db, input.email);
  const right = await verifyPassword(input.password, user?.passwordHash ?? null, { first: device.isKnown });
  if (right) await passwordWasRight();
  if (!user || !right) throw invalidInput({ email: ["The e-mail address or the password is wrong."] });
  if (user.totpSecret !== null) await checkCode(ctx, user, input.code, limits);
  return startSession(ctx, ctx.store.db, user.id, device);
}

async function checkCode(
  ctx: Context,
  user: User,
  code: string | undefined,
  limits: GuessLimits,
): Promise<void> {
  if (code === undefined) throw invalidInput({ code: ["The code field is required."] });
  const codeWasRight = await limits.code(user.id);
  const secret = ctx.secrets.open(user.totpSecret ?? "");
  if (await useCode(ctx, { userId: user.id, secret, code })) return codeWasRight();
  throw invalidInput({ code: ["The code is wrong, or was used already."] });
}
