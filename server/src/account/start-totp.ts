import type { CallerContext } from "../context.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { findUser, updateUser } from "../store/queries/users.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

/**
 * Offers a new secret for two-factor sign-in; it counts once a code has confirmed it. Throws 409
 * when two-factor sign-in is on already.
 */
export async function startTotp(ctx: CallerContext): Promise<{ secret: string; uri: string }> {
  const user = await findUser(ctx.store.db, ctx.caller.userId);
  if (!user) throw unauthenticated();
  if (user.totpSecret !== null) {
    throw new PublicError("conflict", "Two-factor sign-in is on already. Turn it off first.");
  }
  const secret = newTotpSecret();
  await updateUser(ctx.store.db, user.id, { totpPending: ctx.secrets.seal(secret) }, ctx.clock.now());
  return { secret, uri: totpUri(secret, user.email) };
}
