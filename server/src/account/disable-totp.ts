import type { CallerContext } from "../context.ts";
import { invalidInput, unauthenticated } from "../errors.ts";
import { findUser, updateUser } from "../store/queries/users.ts";
import { verifyPassword } from "./password.ts";

/** Turns two-factor sign-in off. Throws 422 for a wrong password: a stolen session alone must not do it. */
export async function disableTotp(ctx: CallerContext, input: { password: string }): Promise<void> {
  const user = await findUser(ctx.store.db, ctx.caller.userId);
  if (!user) throw unauthenticated();
  if (!(await verifyPassword(input.password, user.passwordHash))) {
    throw invalidInput({ password: ["The password is wrong."] });
  }
  const change = { totpSecret: null, totpPending: null };
  await updateUser(ctx.store.db, user.id, change, ctx.clock.now());
}
