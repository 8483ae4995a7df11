import { isMembersAddress } from "../../platform/access/queries/members.ts";
import { findUser } from "../../platform/access/queries/users.ts";
import { PublicError } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import type { Running } from "../../platform/operations/operation.ts";
import { confirmationRefusal, enqueueConfirmation } from "../channels/delivery.ts";
import type { ChannelKind } from "../channels/kind.ts";
import { assertAddressConfirmed, takeExternalMailQuota } from "../mail/external-mail.ts";
import { mailedLink, sendsMail } from "../mail/send-mail.ts";
import type { Channel, Consent } from "../queries/channels.ts";

const DAY_MS = 86_400_000;

/**
 * Since when the receiver of this configuration is known to agree: unchanged for the same address, now where no consent is
 * needed or the address is a member's own; null: it has to be requested. `before`: null for a new channel.
 */
export async function consentOf(
  { db, clock, caller }: Running,
  kind: ChannelKind,
  config: object,
  before: (Consent & { config: object }) | null,
): Promise<Consent> {
  const addressIn = (one: object) => normalizeEmail(kind.consentOf?.(one as never) ?? "");
  const address = addressIn(config);
  if (before && addressIn(before.config) === address) {
    const { confirmedAt, confirmedAsMember } = before;
    return { confirmedAt, confirmedAsMember };
  }
  if (address === "") return { confirmedAt: clock.now(), confirmedAsMember: false };
  const confirmedAsMember = await isMembersAddress(db, caller.organizationId, address);
  return { confirmedAt: confirmedAsMember ? clock.now() : null, confirmedAsMember };
}

/**
 * Sends the confirmation request if this installation can; otherwise the channel waits until it is sent on demand. Throws 429.
 */
export async function requestConsentIfPossible(ctx: Running, channel: Channel): Promise<void> {
  if (sendsMail(ctx.config)) await requestConsent(ctx, channel);
}

/**
 * Mails a request to confirm that a channel may write to its address. Throws 403 where no mail with links is sent, or where the
 * address is another person's and the caller's own is not confirmed; 429 at the daily limit of the address or the organization.
 */
export async function requestConsent(ctx: Running, channel: Channel): Promise<void> {
  const { db, clock, config } = ctx;
  mailedLink(config, "");
  const now = clock.now();
  const why = await confirmationRefusal(db, channel, now);
  if (why) throw new PublicError("rate_limited", why, { retryAfterSeconds: DAY_MS / 1000 });
  const isOwn = channel.userId !== null || (await isOwnAddress(ctx, channel.target));
  if (!isOwn) await assertAddressConfirmed(ctx);
  // The caller's own address counts too: accounts with plus-addresses of another person's mailbox cost nothing.
  await takeExternalMailQuota(ctx, channel.target);
  await enqueueConfirmation(ctx, db, channel, now);
}

/** Whether it is the address of the caller's own account, so that the request reaches no one else. */
async function isOwnAddress({ db, caller }: Running, address: string): Promise<boolean> {
  const person = await findUser(db, caller.userId);
  return person !== undefined && normalizeEmail(person.email) === normalizeEmail(address);
}
