import { randomUUIDv7 } from "node:crypto";
import type { Db } from "../../store/db.ts";
import { insertPushDeliveries } from "../../store/queries/outbox.ts";
import type { Subscriber } from "../../store/queries/push-subscriptions.ts";
import { digestOf } from "../channel/digest.ts";
import { areSentAt } from "../channel/hours.ts";
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
 * happened. The end of an outage is told to those only who could have been told of its beginning. In a person's quiet hours
 * nothing is written but what is critical, and the end of what began before them: a phone has nothing to catch up on.
 */
export async function dispatchPushes(
  trx: Db,
  notices: readonly PushedNotice[],
  browsers: readonly Subscriber[],
  now: number,
): Promise<void> {
  const deliveries = browsers.flatMap((browser) => {
    const { uuid: recipient, organizationId } = browser;
    const messages = notices
      .filter((one) => one.organizationId === organizationId && isShown(browser, one.message, now))
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

/** What ends is looked at as of its beginning. */
function isShown({ createdAt, quietHours }: Subscriber, message: Message, now: number): boolean {
  const at = beginning(message) ?? now;
  if (at < createdAt) return false;
  const isCritical = message.monitor?.severity === "critical";
  return isCritical || quietHours === null || areSentAt(quietHours, at, "UTC");
}

/** When what ends with a message began; null: it has only begun. */
function beginning({ event, at, outageMs, flappingSince }: Message): number | null {
  if (flappingSince !== undefined) return flappingSince;
  return event === "monitor.up" && outageMs !== null ? at - outageMs : null;
}
