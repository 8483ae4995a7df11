import type { CallerContext } from "../context.ts";
import { invalidInput, PublicError } from "../errors.ts";
import { findUser, updateUser } from "../store/queries/users.ts";
import { dropOtherSessions } from "./end-session.ts";
import { useCode } from "./totp.ts";

/**
 * Turns two-factor sign-in on with the first code of the offered secret, and ends the person's other
 * sessions. Throws 409 when none was offered, 422 for a wrong code.
 */
export async function confirmTotp(ctx: CallerContext, input: { code: string }): Promise<void> {
  const { userId } = ctx.caller;
  const user = await findUser(ctx.store.db, userId);
  if (!user?.totpPending) throw new PublicError("conflict", "Ask for a new two-factor secret first.");
  const secret = ctx.secrets.open(user.totpPending);
  if (!(await useCode(ctx, { userId, secret, code: input.code }))) {
    throw invalidInput({ code: ["The code is wrong, or was used already."] });
  }
  await ctx.store.transaction(async (trx) => {
    const change = { totpSecret: user.totpPending, totpPending: null };
    await updateUser(trx, userId, change, ctx.clock.now());
    await dropOtherSessions(ctx, trx);
  });
  ctx.live.wake();
}
