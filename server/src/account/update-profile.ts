import type { CallerContext } from "../context.ts";
import { updateUser } from "../store/queries/users.ts";
import { checkName } from "./name.ts";

/** Changes the caller's name. Throws 422 for an empty or overlong one. */
export const updateProfile = (ctx: CallerContext, input: { name: string }): Promise<void> =>
  updateUser(ctx.store.db, ctx.caller.userId, { name: checkName(input.name) }, ctx.clock.now());
