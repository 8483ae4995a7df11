import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { AccountBody, SignedIn } from "../wire/credentials.ts";
import { checkCredentials } from "./credentials.ts";
import { openAccount } from "./open-account.ts";
import { hashPassword } from "./password.ts";

/** A stranger makes an account with an organization of its own. Throws 403 where sign-up is closed, 422 for bad input. */
export const signUp = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: "create account",
  input: AccountBody,
  output: SignedIn,
  async prepare(ctx, input) {
    if (ctx.config.signup !== "open") {
      throw new PublicError("forbidden", fact("access.sign_up"));
    }
    checkCredentials(input);
    return hashPassword(input.password);
  },
  run: openAccount,
});
