import type { Context } from "../context.ts";
import { hasUsers } from "../store/queries/users.ts";

/** What a visitor who is not signed in can do. */
export async function readAuthState(ctx: Context): Promise<{ setupRequired: boolean; signupOpen: boolean }> {
  return {
    setupRequired: !(await hasUsers(ctx.store.db)),
    signupOpen: ctx.config.signup === "open",
  };
}
