import { PublicError } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { replaceRecoveryCodes } from "../store/queries/api-keys.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { RecoveryCodes } from "../wire/auth.ts";
import { PasswordBody } from "../wire/credentials.ts";
import { confirmPassword, lockConfirmed } from "./confirm-password.ts";
import { hashCode, randomCode } from "./spoken-code.ts";

/** Given at once. */
const CODES = 10;

/**
 * Replaces the caller's recovery codes. Throws 422 for a wrong password: a stolen session alone must not do it; 409 when
 * two-factor sign-in is off.
 */
export const renewRecoveryCodes = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "renew recovery codes",
  input: PasswordBody,
  output: RecoveryCodes,
  prepare: confirmPassword,
  async run(ctx, _, verifiedHash) {
    // Locked: of two at once the second replaces the codes of the first.
    const user = await lockConfirmed(ctx, verifiedHash);
    if (user.totpSecret === null) throw new PublicError("conflict", fact("account.two_factor_off"));
    return { recoveryCodes: await newRecoveryCodes(ctx.db, user.id, ctx.clock.now()) };
  },
});

/** Ten codes in the place of those that a person has; only their hashes are stored. */
export async function newRecoveryCodes(db: Db, userId: number, now: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, randomCode);
  await replaceRecoveryCodes(db, userId, codes.map(hashCode), now);
  return codes;
}
