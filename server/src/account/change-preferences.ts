import { updateUser } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { Me, PreferencesChange } from "../wire/auth.ts";
import { describe } from "./describe-caller.ts";
import { ianaName } from "./iana-name.ts";

/** Changes how the app, and what is sent, looks and speaks to the caller; what is not given stays. Throws 422 for what does not exist. */
export const changePreferences = verb({
  resource: null,
  by: "session",
  action: "write",
  // It concerns nobody else.
  audit: null,
  input: PreferencesChange,
  output: Me,
  async run(ctx, input) {
    const { timeZone, seenTimeZone } = input;
    const change = {
      ...input,
      ...(timeZone && { timeZone: ianaName(timeZone) }),
      ...(seenTimeZone && { seenTimeZone: ianaName(seenTimeZone) }),
    };
    await updateUser(ctx.db, ctx.caller.userId, change, ctx.clock.now());
    return describe(ctx);
  },
});
