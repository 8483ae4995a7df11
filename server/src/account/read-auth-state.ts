import { Type } from "typebox";
import { isForThisMachineOnly } from "../config.ts";
import { sendsMail } from "../notification/mail/send-mail.ts";
import { hasUsers } from "../store/queries/users.ts";
import { verb } from "../verb/verb.ts";
import { AuthState } from "../wire/auth.ts";

/** What a visitor who is not signed in can do. */
export const readAuthState = verb({
  by: "anyone",
  resource: null,
  action: "read",
  input: Type.Object({}),
  output: AuthState,
  async run({ db, config }) {
    const setupRequired = !(await hasUsers(db));
    return {
      setupRequired,
      setupTokenRequired: setupRequired && !isForThisMachineOnly(config),
      signupOpen: config.signup === "open",
      mail: sendsMail(config),
    };
  },
});
