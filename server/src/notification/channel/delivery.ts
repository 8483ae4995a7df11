import { randomUUIDv7 } from "node:crypto";
import type { Channel } from "../../store/queries/channels.ts";
import type { NewChannelDelivery } from "../../store/queries/outbox.ts";
import { CHANNEL_WORTH_MS } from "../rules.ts";
import { eventOf, type Message, subjectOf } from "./message.ts";

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
