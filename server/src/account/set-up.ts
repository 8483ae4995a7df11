import { PublicError } from "../errors.ts";
import { claimEmptyInstallation, confirmUserEmail, hasUsers } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { SetUpBody, SignedIn } from "../wire/credentials.ts";
import { checkCredentials } from "./credentials.ts";
import { openAccount } from "./open-account.ts";
import { hashPassword } from "./password.ts";
import { checkSetUpToken } from "./set-up-token.ts";

/**
 * The first visit: creates the owner and the first organization. Of any number of simultaneous
 * calls one wins. Throws 409 when the installation has people already, 422 for bad input or a wrong
 * set-up token.
 */
export const setUp = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: "create account",
  input: SetUpBody,
  output: SignedIn,
  async prepare(ctx, input) {
    if (await hasUsers(ctx.store.db)) throw alreadySetUp();
    await checkSetUpToken(ctx, input.setupToken);
    checkCredentials(input);
    return hashPassword(input.password);
  },
  async run(ctx, input, passwordHash) {
    if (!(await claimEmptyInstallation(ctx.db))) throw alreadySetUp();
    const started = await openAccount(ctx, input, passwordHash);
    // Whoever runs the installation says who they are.
    await confirmUserEmail(ctx.db, started.userId, ctx.clock.now());
    return started;
  },
});

const alreadySetUp = () => new PublicError("conflict", fact("account.set_up"));
