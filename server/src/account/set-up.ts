import type { Context } from "../context.ts";
import { PublicError } from "../errors.ts";
import { claimEmptyInstallation, hasUsers } from "../store/queries/users.ts";
import { createOrganization } from "./create-organization.ts";
import { addUser } from "./create-user.ts";
import { checkCredentials } from "./credentials.ts";
import { hashPassword } from "./password.ts";
import { checkSetUpToken } from "./set-up-token.ts";
import { type Device, type StartedSession, startSession } from "./start-session.ts";

export interface NewAccount {
  email: string;
  password: string;
  name?: string;
  /** Default: the person's name. */
  organization?: string;
}

/** The first account; `setupToken` where the installation asks for one. */
export interface FirstAccount extends NewAccount {
  setupToken?: string;
}

/**
 * The first visit: creates the owner and the first organization. Of any number of simultaneous
 * calls one wins. Throws 409 when the installation has people already, 422 for bad input or a wrong
 * set-up token.
 */
export async function setUp(ctx: Context, input: FirstAccount, device: Device): Promise<StartedSession> {
  if (await hasUsers(ctx.store.db)) throw alreadySetUp();
  await checkSetUpToken(ctx, input.setupToken);
  checkCredentials(input);
  const passwordHash = await hashPassword(input.password);
  return ctx.store.transaction(async (trx) => {
    if (!(await claimEmptyInstallation(trx))) throw alreadySetUp();
    const user = await addUser(ctx, trx, { ...input, passwordHash });
    await createOrganization(ctx, trx, { name: input.organization?.trim() || user.name, ownerId: user.id });
    return startSession(ctx, trx, user.id, device);
  });
}

const alreadySetUp = () =>
  new PublicError("conflict", "This installation is set up already. Sign in instead.");
