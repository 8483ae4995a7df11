import type { Static } from "typebox";
import { requestConfirmationOnce } from "../alerts/channels/delivery.ts";
import { confirmUserEmail, findOwnChannel } from "../alerts/queries/own-channels.ts";
import { hashPassword } from "../platform/access/password.ts";
import { isForThisMachineOnly } from "../platform/config.ts";
import type { Context } from "../platform/context.ts";
import { claimMeta } from "../platform/database/installation.ts";
import { invalidInput, PublicError } from "../platform/errors.ts";
import { checkName } from "../platform/formats/name.ts";
import { msg } from "../platform/i18n/message.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { checkCredentials } from "./credentials.ts";
import { joinOrganization } from "./invitations.ts";
import { createOrganization } from "./organizations.ts";
import { invitationTo, takeInvitation } from "./own-invitation.ts";
import { claimEmptyInstallation, hasUsers } from "./queries/users.ts";
import { type AccountBody, SetUpBody, SignedIn, SignUpBody } from "./schemas/credentials.ts";
import { type StartedSession, startSession } from "./sign-in.ts";
import { hashCode, isCode, randomCode } from "./spoken-code.ts";
import { addUser } from "./users.ts";

/** With a new organization, named after the person by default; signs them in. */
async function openAccount(
  ctx: Running<"anyone">,
  { email, name, organization }: Static<typeof AccountBody>,
  passwordHash: string,
): Promise<StartedSession> {
  const user = await addUser(ctx, { email, name, passwordHash, seenLanguage: ctx.visitor.language });
  await createOrganization(ctx, {
    name: organization?.trim() ? checkName(organization, "organization") : user.name,
    ownerId: user.id,
  });
  const started = await startSession(ctx, user.id);
  ctx.record({ ...started, id: user.id });
  return started;
}

type SetUpContext = Pick<Context, "config" | "store" | "secrets">;

const META_KEY = "set_up_token";

/**
 * Shown to the operator alone, in the server's output; the same on every replica and after restarts. Null
 * where only this machine reaches the server, and once there is an account.
 */
export async function readSetUpToken(ctx: SetUpContext): Promise<string | null> {
  if (isForThisMachineOnly(ctx.config) || (await hasUsers(ctx.store.db))) return null;
  return ctx.secrets.open(await claimMeta(ctx.store.db, META_KEY, ctx.secrets.seal(randomCode())));
}

/** Throws 422 unless `given` is the installation's token, where there is one. */
async function checkSetUpToken(ctx: SetUpContext, given: string | undefined): Promise<void> {
  const token = await readSetUpToken(ctx);
  if (token === null) return;
  if (given === undefined || given.trim() === "") {
    throw invalidInput({ setupToken: [msg("input.required", { field: "setup token" })] });
  }
  if (isCode(given, hashCode(token))) return;
  throw invalidInput({ setupToken: [msg("account.setup_token")] });
}

/**
 * Creates the owner and the first organization; of concurrent calls one succeeds. Throws 409 when the
 * installation has accounts, 422 for bad input or a wrong set-up token.
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
    // The operator's address needs no confirmation.
    await confirmUserEmail(ctx.db, started.userId, ctx.clock.now());
    return started;
  },
});

const alreadySetUp = () => new PublicError("conflict", msg("account.set_up"));

/**
 * With a new organization where sign-up is open, otherwise as a member of the one that invited this address.
 * Throws 403 where sign-up is closed, 422 for bad input, on `invitation` for an invalid one.
 */
export const signUp = verb({
  by: "anyone",
  resource: null,
  action: "write",
  audit: "create account",
  input: SignUpBody,
  output: SignedIn,
  async prepare({ config, clock, store }, { invitation, ...input }) {
    if (invitation !== undefined) {
      await invitationTo({ db: store.db, clock }, { invitation, email: input.email });
    } else if (config.signup !== "open") {
      throw new PublicError("forbidden", msg("access.sign_up"));
    }
    checkCredentials(input);
    return hashPassword(input.password);
  },
  async run(ctx, { invitation, ...input }, passwordHash) {
    const started =
      invitation === undefined
        ? await openAccount(ctx, input, passwordHash)
        : await openInvited(ctx, { ...input, invitation }, passwordHash);
    const { userId, organizationId } = started;
    const mailbox = await findOwnChannel(ctx.db, { userId, organizationId }, "email");
    if (mailbox) await requestConfirmationOnce(ctx, ctx.db, mailbox, ctx.clock.now());
    return started;
  },
});

async function openInvited(
  ctx: Running<"anyone">,
  { invitation: code, email, name }: { invitation: string; email: string; name?: string | undefined },
  passwordHash: string,
): Promise<StartedSession> {
  const invitation = await takeInvitation(ctx, { invitation: code, email });
  const user = await addUser(ctx, { email, name, passwordHash, seenLanguage: ctx.visitor.language });
  await joinOrganization(ctx, invitation, { userId: user.id, code });
  const started = await startSession(ctx, user.id);
  ctx.record({ ...started, id: user.id });
  return started;
}
