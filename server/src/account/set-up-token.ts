import { isForThisMachineOnly } from "../config.ts";
import type { Context } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { claimMeta } from "../store/queries/meta.ts";
import { hasUsers } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import { hashCode, isCode, randomCode } from "./spoken-code.ts";

type SetUpContext = Pick<Context, "config" | "store" | "secrets">;

const META_KEY = "set_up_token";

/**
 * The token that set-up asks the first owner for; only the operator sees it, in the server's output. Null if only
 * this machine reaches the server, and once somebody has an account. The same on every replica and after a restart.
 */
export async function readSetUpToken(ctx: SetUpContext): Promise<string | null> {
  if (isForThisMachineOnly(ctx.config) || (await hasUsers(ctx.store.db))) return null;
  return ctx.secrets.open(await claimMeta(ctx.store.db, META_KEY, ctx.secrets.seal(randomCode())));
}

/** Throws 422 unless `given` is the token of an installation that asks for one. */
export async function checkSetUpToken(ctx: SetUpContext, given: string | undefined): Promise<void> {
  const token = await readSetUpToken(ctx);
  if (token === null) return;
  if (given === undefined || given.trim() === "") {
    throw invalidInput({ setupToken: [fact("input.required", { field: "setup token" })] });
  }
  if (isCode(given, hashCode(token))) return;
  throw invalidInput({ setupToken: [fact("account.setup_token")] });
}
