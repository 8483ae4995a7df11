import { invalidInput, unauthenticated } from "../errors.ts";
import { findUser, lockUser, type User } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import type { Before, Running } from "../verb/verb.ts";
import { verifyPassword } from "./password.ts";

/**
 * Throws 422 unless it is the caller's password: what a stolen session alone must not do begins with this. Returns what
 * `lockConfirmed` is to be given.
 */
export async function confirmPassword(
  { store, caller }: Before,
  { password }: { password: string },
): Promise<string> {
  const user = await findUser(store.db, caller.userId);
  if (!user) throw unauthenticated();
  if (await verifyPassword(password, user.passwordHash)) return user.passwordHash;
  throw wrongPassword();
}

/** The caller, locked until the transaction ends. Throws 422 when the password has been changed since it was confirmed. */
export async function lockConfirmed({ db, caller }: Running, verifiedHash: string): Promise<User> {
  const user = await lockUser(db, caller.userId);
  if (user?.passwordHash !== verifiedHash) throw wrongPassword();
  return user;
}

const wrongPassword = () => invalidInput({ password: [fact("account.password")] });
