import type { Context } from "../context.ts";
import { PublicError } from "../errors.ts";
import { createOrganization } from "./create-organization.ts";
import { addUser } from "./create-user.ts";
import { checkCredentials } from "./credentials.ts";
import { hashPassword } from "./password.ts";
import type { NewAccount } from "./set-up.ts";
import { type Device, type StartedSession, startSession } from "./start-session.ts";

/** A stranger makes an account with an organization of its own. Throws 403 where sign-up is closed, 422 for bad input. */
export async function signUp(ctx: Context, input: NewAccount, device: Device): Promise<StartedSession> {
  if (ctx.config.signup !== "open") {
    throw new PublicError(
      "forbidden",
      "Sign-up is closed on this installation. Ask its owner for an account.",
    );
  }
  checkCredentials(input);
  const passwordHash = await hashPassword(input.password);
  return ctx.store.transaction(async (trx) => {
    const user = await addUser(ctx, trx, { ...input, passwordHash });
    await createOrganization(ctx, trx, { name: input.organization?.trim() || user.name, ownerId: user.id });
    return startSession(ctx, trx, user.id, device);
  });
}
