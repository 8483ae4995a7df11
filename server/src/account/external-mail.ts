import { PublicError } from "../errors.ts";
import { countExternalMail } from "../notification/mail/external-quota.ts";
import { isEmailConfirmed } from "../store/queries/users.ts";
import { fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";

const DAY_MS = 86_400_000;

type Sending = Pick<Running, "db" | "clock" | "config" | "caller">;

/**
 * Throws 403 where anybody may sign up and the caller's own address is not known to be theirs: an account that costs nothing
 * must not write to others.
 */
export async function assertAddressConfirmed({ db, config, caller }: Sending): Promise<void> {
  if (config.signup !== "open" || (await isEmailConfirmed(db, caller.userId))) return;
  throw new PublicError("forbidden", fact("mail.confirm_first"));
}

/** Counts a mail that the caller has sent to somebody else's address. Throws 429 after too many within a day. */
export async function takeExternalMailQuota(ctx: Sending, recipient: string): Promise<void> {
  if ((await countExternalMail(ctx, ctx.caller, recipient)) === null) return;
  throw new PublicError("rate_limited", fact("mail.external_limit"), { retryAfterSeconds: DAY_MS / 1000 });
}
