import type { CallerContext } from "../context.ts";
import { invalidInput, unauthenticated } from "../errors.ts";
import { findUser, updateUser } from "../store/queries/users.ts";
import { checkCredentials } from "./credentials.ts";
import { dropOtherSessions } from "./end-session.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/** Replaces the caller's password and ends their other sessions. Throws 422 when the present one is wrong or the new one too weak. */
export async function changePassword(
  ctx: CallerContext,
  input: { currentPassword: string; password: string },
): Promise<void> {
  const user = await findUser(ctx.store.db, ctx.caller.userId);
  if (!user) throw unauthenticated();
  if (!(await verifyPassword(input.currentPassword, user.passwordHash))) {
    throw invalidInput({ currentPassword: ["The present password is wrong."] });
  }
  checkCredentials({ email: user.email, password: input.password });
  const passwordHash = await hashPassword(input.password);
  await ctx.store.transaction(async (trx) => {
    await updateUser(trx, user.id, { passwordHash }, ctx.clock.now());
    await dropOtherSessions(ctx, trx);
  });
  ctx.live.wake();
}
