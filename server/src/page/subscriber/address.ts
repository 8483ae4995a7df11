import { createHmac } from "node:crypto";
import { hashToken } from "../../account/token.ts";
import type { TargetPolicy } from "../../check/guard.ts";
import type { SecretBox } from "../../context.ts";
import type { Subscriber } from "../../store/queries/subscribers.ts";
import type { Fact } from "../../texts/fact.ts";
import type { Destination } from "./channel/destination.ts";
import { SUBSCRIBER_CHANNELS } from "./channel/registry.ts";
import type { SubscriberKind } from "./kinds.ts";

const PURPOSE = "addresses that were asked";

/** Where somebody is told, as it is kept. */
export interface SubscriberAddress {
  kind: SubscriberKind;
  /** What lists show: a mailbox, or a host. */
  address: string;
  /** Each once a page. */
  hash: string;
  /** Null for e-mail. */
  destination: Destination | null;
}

/** An address as somebody typed it. Gives what is wrong with one that nothing can be sent to. */
export function readAddress(
  kind: SubscriberKind,
  typed: string,
  targets: TargetPolicy,
): SubscriberAddress | { problem: Fact } {
  const read = SUBSCRIBER_CHANNELS[kind].read(typed.trim(), targets);
  if ("problem" in read) return read;
  const { address, place, destination } = read;
  return { kind, address, hash: hashToken(`${kind} ${place}`), destination };
}

/** What is kept of an address that was asked, whatever the page: nobody without the installation's key can tell which it is. */
export function askedHash(
  secrets: SecretBox,
  subscriber: Pick<Subscriber, "kind" | "address" | "secrets">,
): string {
  const { kind } = subscriber;
  const place = SUBSCRIBER_CHANNELS[kind].askedPlace(secrets, subscriber);
  return createHmac("sha256", secrets.derive(PURPOSE))
    .update(hashToken(`${kind} ${place}`))
    .digest("hex");
}
