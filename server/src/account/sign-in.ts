import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { findUserByEmail, type User } from "../store/queries/users.ts";
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
 * Throws 422, on `code` when the password is right and a one-time code is missing or wrong.
 */
export async function signIn(ctx: Context, input: Credentials, device: Device): Promise<StartedSession> {
  const user = await findUserByEmail(ctx.store.db, input.email.trim());
  const right = await verifyPassword(input.password, user?.passwordHash ?? null);
  if (!user || !right) throw invalidInput({ email: ["The e-mail address or the password is wrong."] });
  if (user.totpSecret !== null) await checkCode(ctx, user, user.totpSecret, input.code);
  return startSession(ctx, ctx.store.db, user.id, device);
}

async function checkCode(ctx: Context, user: User, sealed: string, code: string | undefined): Promise<void> {
  if (code === undefined) throw invalidInput({ code: ["The code field is required."] });
  if (await useCode(ctx, { userId: user.id, secret: ctx.secrets.open(sealed), code })) return;
  throw invalidInput({ code: ["The code is wrong, or was used already."] });
}
