import { PublicError } from "../errors.ts";
import { askPersonOnce } from "../notification/channel/ask-address.ts";
import { findOwnChannel } from "../store/queries/own-channels.ts";
import { fact } from "../texts/fact.ts";
import { type Running, verb } from "../verb/verb.ts";
import { SignedIn, SignUpBody } from "../wire/credentials.ts";
import { addUser } from "./add-user.ts";
import { checkCredentials } from "./credentials.ts";
import { joinOrganization } from "./join-organization.ts";
import { openAccount } from "./open-account.ts";
import { invitationTo, takeInvitation } from "./own-invitation.ts";
import { hashPassword } from "./password.ts";
import { type StartedSession, startSession } from "./start-session.ts";

/**
 * A stranger makes an account: with an organization of its own where sign-up is open, or anywhere as a member of the one
 * that has invited this address. Throws 403 where sign-up is closed, 422 for bad input, on `invitation` for one that is
 * worth nothing.
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
      throw new PublicError("forbidden", fact("access.sign_up"));
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
    if (mailbox) await askPersonOnce(ctx, ctx.db, mailbox, ctx.clock.now());
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
