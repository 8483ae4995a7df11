import { randomUUIDv7 } from "node:crypto";
import { findOrganization } from "../../platform/access/queries/organizations.ts";
import { isEmailConfirmed, recordConfirmationRequest } from "../../platform/access/queries/users.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/db.ts";
import { normalizeEmail } from "../../platform/formats/name.ts";
import { excerpt, type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { CHANNEL_WORTH_MS } from "../delivery-rules.ts";
import { countExternalMail, sendsMail } from "../mail/send-mail.ts";
import { requiresConfirmedAddress } from "../people/trusted-address.ts";
import { type Channel, forgetMembersConsent } from "../queries/channels.ts";
import {
  countConfirmations,
  insertChannelDeliveries,
  lockAddress,
  type NewChannelDelivery,
} from "../queries/outbox.ts";
import { confirmationMessage, eventOf, type Message, ownConfirmationMessage, subjectOf } from "./message.ts";
import { unlinkedName } from "./text-formats.ts";

/** Where a message goes. `isOwn`: to the channel of one person. */
interface To extends Pick<NewChannelDelivery, "organizationId" | "channelId" | "recipient"> {
  isOwn: boolean;
}

/** A channel, as a message goes to it. */
export const toChannel = ({
  id: channelId,
  organizationId,
  userId,
  target,
}: Pick<Channel, "id" | "organizationId" | "userId" | "target">): To => ({
  organizationId,
  channelId,
  isOwn: userId !== null,
  recipient: target,
});

/** A message to a channel as the outbox takes it: due at once, and worth sending for a day. */
export const deliveryOf = (to: To, message: Message, now: number): NewChannelDelivery => ({
  uuid: randomUUIDv7(),
  organizationId: to.organizationId,
  channelId: to.channelId,
  isOwn: to.isOwn,
  recipient: to.recipient,
  event: eventOf(message),
  subject: subjectOf(message),
  message: JSON.stringify(message),
  incidentId: message.incidentId,
  givesUpAt: now + CHANNEL_WORTH_MS,
});

type Needed = Pick<Context, "config" | "clock">;

const DAY_MS = 86_400_000;
/** Per day, over all senders: more would be the abuse that confirmation prevents. */
const MAX_TO_ADDRESS = 3;
const MAX_OF_ORGANIZATION = 20;

/**
 * Why no confirmation request can be sent now: the address received, or its organization sent, too many within a day. Null: it
 * can.
 */
export async function confirmationRefusal(
  trx: Db,
  { organizationId, target }: Pick<Channel, "organizationId" | "target">,
  now: number,
): Promise<MessageDescriptor | null> {
  const recipient = normalizeEmail(target);
  await lockAddress(trx, recipient);
  const counts = await countConfirmations(trx, { organizationId, recipient }, now - DAY_MS);
  if (counts.ofAddress >= MAX_TO_ADDRESS) return msg("channel.address_limit");
  return counts.ofOrganization >= MAX_OF_ORGANIZATION ? msg("channel.confirmation_limit") : null;
}

/** Writes a confirmation request for a channel into the outbox. */
export async function enqueueConfirmation(
  { config }: Pick<Context, "config">,
  trx: Db,
  channel: Channel,
  now: number,
) {
  const { userId, target } = channel;
  const message =
    userId === null ? await consentMessage(trx, channel, now) : ownAddressMessage(config, target, now);
  if (userId !== null) await recordConfirmationRequest(trx, userId, now);
  const to = { ...toChannel(channel), recipient: normalizeEmail(target) };
  await insertChannelDeliveries(trx, [deliveryOf(to, message, now)], { now });
}

/**
 * An address (lower case) no longer belongs to a member of this organization: channels that wrote to it for that reason alone
 * stop. One of them requests confirmation for all if this installation can; otherwise they wait until a request is sent by
 * hand.
 */
export async function requestConsentOfFormerMember(
  { config, clock }: Pick<Context, "config" | "clock">,
  trx: Db,
  { organizationId, email }: { organizationId: number; email: string },
): Promise<void> {
  const now = clock.now();
  const [channel] = await forgetMembersConsent(trx, organizationId, email);
  if (!channel || !sendsMail(config) || (await confirmationRefusal(trx, channel, now)) !== null) return;
  await enqueueConfirmation({ config }, trx, channel, now);
}

async function consentMessage(trx: Db, { organizationId: id, target: address }: Channel, now: number) {
  const organization = unlinkedName(excerpt((await findOrganization(trx, { id }))?.name ?? ""));
  return confirmationMessage({ organization, address }, now);
}

const ownAddressMessage = ({ publicUrl }: Context["config"], address: string, now: number): Message =>
  ownConfirmationMessage({ address, where: URL.parse(publicUrl ?? "")?.host ?? "" }, now);

/**
 * Mails a person a request to confirm their own address, if that is needed and none was sent yet. One that cannot be sent now
 * is sent at the next occasion: nothing that people do depends on it.
 */
export async function requestConfirmationOnce(
  ctx: Needed,
  trx: Db,
  channel: Channel,
  now: number,
): Promise<void> {
  const { config } = ctx;
  const { userId, organizationId } = channel;
  if (userId === null || !requiresConfirmedAddress(config) || !sendsMail(config)) return;
  if ((await isEmailConfirmed(trx, userId)) || (await confirmationRefusal(trx, channel, now)) !== null)
    return;
  const sending = { db: trx, clock: ctx.clock, config };
  if ((await countExternalMail(sending, { userId, organizationId }, channel.target)) !== null) return;
  if (await recordConfirmationRequest(trx, userId, now)) await enqueueConfirmation(ctx, trx, channel, now);
}
