import { updateUser } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { Me } from "../wire/auth.ts";
import { ProfileBody } from "../wire/credentials.ts";
import { describe } from "./describe-caller.ts";
import { checkName } from "./name.ts";

/** Changes the caller's name. Throws 422 for an empty or overlong one. */
export const updateProfile = verb({
  resource: null,
  by: "session",
  action: "write",
  audit: "update profile",
  input: ProfileBody,
  output: Me,
  async run(ctx, input) {
    await updateUser(ctx.db, ctx.caller.userId, { name: checkName(input.name) }, ctx.clock.now());
    return describe(ctx);
  },
});
