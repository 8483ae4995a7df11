import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { PublicError } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { msg } from "../../platform/i18n/message.ts";
import { IdParams } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { noteChannels } from "../queries/alert-events.ts";
import { confirmChannels, readChannel, type Channel as StoredChannel } from "../queries/channels.ts";
import type { LinkedMessage } from "../queries/incident-deliveries.ts";
import { confirmMembersAddress, confirmUserEmail } from "../queries/own-channels.ts";
import type { AcknowledgementShown } from "../schemas/acknowledgement.ts";
import { Channel } from "../schemas/channels.ts";
import { findChannelMeant, rereadChannel, showChannel } from "./channels.ts";
import { requestConsent } from "./consent.ts";

/**
 * Mails the address of a channel another confirmation request. Throws 404, 409 for a channel that is not waiting for one, 403
 * where no mail with links is sent, 429 after too many.
 */
export const resendConfirmation = verb({
  resource: "notifications",
  action: "write",
  audit: "request channel confirmation",
  hints: { openWorld: true },
  input: IdParams,
  output: Channel,
  find: findChannelMeant,
  async run(ctx, _, found) {
    await lockOrganization(ctx.db, found.organizationId);
    const channel = await rereadChannel(ctx, found.id);
    if (channel.confirmedAt !== null) throw new PublicError("conflict", msg("channel.confirmed"));
    await requestConsent(ctx, channel);
    ctx.record({ id: channel.id, name: channel.name });
    return showChannel(ctx, await rereadChannel(ctx, channel.id));
  },
});

/**
 * Lets the organization's channels write to the address that this request went to, unless its channel has another address by
 * now. Returns the channel as it is then.
 */
export async function confirmByMessage(
  { db, clock, record }: Pick<Running<"anyone">, "db" | "clock" | "record">,
  { organizationId, recipient }: LinkedMessage,
  channel: StoredChannel,
): Promise<StoredChannel> {
  const { id: requestingId, userId, target } = channel;
  const now = clock.now();
  if (normalizeEmail(target) === recipient) {
    if (userId !== null) {
      await confirmUserEmail(db, userId, now);
    } else {
      const confirmed = await confirmChannels(db, organizationId, recipient, now);
      for (const { id, name } of confirmed) record({ id, name, action: "confirm channels", organizationId });
      await noteChannels(db, confirmed, now);
      if (confirmed.length > 0) await confirmMembersAddress(db, organizationId, recipient, now);
    }
  }
  return (await readChannel(db, requestingId)) ?? channel;
}

/** Whether a confirmation request is still unanswered. */
export function confirmationState(
  { usedAt, recipient }: LinkedMessage,
  { confirmedAt, target }: StoredChannel,
): AcknowledgementShown["state"] {
  if (recipient !== normalizeEmail(target)) return "resolved";
  if (confirmedAt !== null) return "acknowledged";
  return usedAt === null ? "open" : "resolved";
}
