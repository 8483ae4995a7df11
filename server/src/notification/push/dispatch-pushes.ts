import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import { insertPushDeliveries } from "../../store/queries/outbox.ts";
import type { Subscriber } from "../../store/queries/push-subscriptions.ts";
import { digestOf } from "../channel/digest.ts";
import type { Message } from "../channel/message.ts";
import { PUSH_WORTH_MS } from "./push-transport.ts";

/** Something that happened in an organization. */
export interface PushedNotice {
  organizationId: number;
  message: Message;
}

/** More at a time become one message. */
const DIGEST_FROM = 10;

/**
 * Writes into the outbox what the browsers of an organization's people are to be told, in the transaction of what
 * happened. The end of an outage is told to those only who could have been told of its beginning.
 */
export async function dispatchPushes(
  trx: Db,
  notices: readonly PushedNotice[],
  browsers: readonly Subscriber[],
  now: number,
): Promise<void> {
  const deliveries = browsers.flatMap(({ uuid: recipient, organizationId, createdAt }) => {
    const messages = notices
      .filter((one) => one.organizationId === organizationId && createdAt <= beginning(one.message))
      .map(({ message }) => message);
    const told = messages.length > DIGEST_FROM ? [digestOf(messages, false)] : messages;
    return told.map((message) => ({
      uuid: randomUUIDv7(),
      organizationId,
      recipient,
      event: message.event,
      message: JSON.stringify(message),
      givesUpAt: now + PUSH_WORTH_MS,
    }));
  });
  await insertPushDeliveries(trx, deliveries, now);
}

/** When what ends with a message began; what does not end has only begun. */
function beginning({ event, at, outageMs, flappingSince }: Message): number {
  if (flappingSince !== undefined) return flappingSince;
  return event === "monitor.up" && outageMs !== null ? at - outageMs : Number.POSITIVE_INFINITY;
}
