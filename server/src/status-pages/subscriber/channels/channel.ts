import type { Outcome } from "../../../alerts/outbox.ts";
import type { TargetPolicy } from "../../../checks/guard.ts";
import type { Config } from "../../../platform/config.ts";
import type { Context, SecretBox } from "../../../platform/context.ts";
import type { MessageDescriptor } from "../../../platform/i18n/message.ts";
import type { Subscriber } from "../../queries/subscribers.ts";
import type { Sending } from "../subscriber-words.ts";

interface ReadAddress {
  address: string;
  /** Equal for all addresses of one receiver. */
  place: string;
  /** Null where it is not secret. */
  destination: Destination | null;
}

export interface SubscriberChannel {
  /** Why this installation cannot use it; null: it can. */
  lack(config: Pick<Config, "publicUrl" | "smtp">): MessageDescriptor | null;
  /** Trimmed, or the problem of one that messages cannot be sent to. */
  read(typed: string, targets: TargetPolicy): ReadAddress | { problem: MessageDescriptor };
  /** The receiver, however the address is written. */
  canonicalAddress(secrets: SecretBox, subscriber: Pick<Subscriber, "address" | "secrets">): string;
  /** With the destination's secret, which the member who adds it gets. */
  isSigned: boolean;
  send(ctx: Context, sending: Sending, signal: AbortSignal): Promise<Outcome>;
}

/** `secret` signs a webhook's messages. */
export interface Destination {
  url: string;
  secret: string;
  /**
   * Added by a member: may be inside the network. A visitor's must be public, whatever monitors may reach.
   */
  mayBeInside?: true;
}

/** Encrypted; null: none. */
export const sealDestination = (secrets: SecretBox, destination: Destination | null): string | null =>
  destination && secrets.seal(JSON.stringify(destination));

export const openDestination = (secrets: SecretBox, sealed: string): Destination =>
  JSON.parse(secrets.open(sealed)) as Destination;
