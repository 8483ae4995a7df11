import { invalidInput, unauthenticated } from "../errors.ts";
import { findUser } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import type { Before } from "../verb/verb.ts";
import { verifyPassword } from "./password.ts";

/** Throws 422 unless it is the caller's password: what a stolen session alone must not do begins with this. */
export async function confirmPassword(
  { store, caller }: Before,
  { password }: { password: string },
): Promise<void> {
  const user = await findUser(store.db, caller.userId);
  if (!user) throw unauthenticated();
  if (await verifyPassword(password, user.passwordHash)) return;
  throw invalidInput({ password: [fact("account.password")] });
}
