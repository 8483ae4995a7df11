import { isForThisMachineOnly } from "../config.ts";
import type { Context } from "../context.ts";
import { hasUsers } from "../store/queries/users.ts";

/** What a visitor who is not signed in can do. */
export async function readAuthState(
  ctx: Context,
): Promise<{ setupRequired: boolean; setupTokenRequired: boolean; signupOpen: boolean }> {
  const setupRequired = !(await hasUsers(ctx.store.db));
  return {
    setupRequired,
    setupTokenRequired: setupRequired && !isForThisMachineOnly(ctx.config),
    signupOpen: ctx.config.signup === "open",
  };
}
