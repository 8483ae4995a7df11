import type { TargetPolicy } from "../../../check/guard.ts";
import type { Config } from "../../../config.ts";
import type { Context, SecretBox } from "../../../context.ts";
import type { Outcome } from "../../../notification/transport.ts";
import type { Subscriber } from "../../../store/queries/subscribers.ts";
import type { Fact } from "../../../texts/fact.ts";
import type { Destination } from "./destination.ts";
import type { Sending } from "./sending.ts";

/** An address as it was typed, read. */
export interface ReadAddress {
  /** What lists show. */
  address: string;
  /** The same for whatever leads to the same place. */
  place: string;
  /** Null where that is no secret. */
  destination: Destination | null;
}

/** What subscribers of one kind are told by. */
export interface SubscriberChannel {
  /** Why this installation cannot send by it; null: it can. */
  lack(config: Pick<Config, "publicUrl" | "smtp">): Fact | null;
  /** An address without space around it, or what is wrong with one that nothing can be sent to. */
  read(typed: string, targets: TargetPolicy): ReadAddress | { problem: Fact };
  /** Who is asked at an address, however many ways there are to write that. */
  askedPlace(secrets: SecretBox, subscriber: Pick<Subscriber, "address" | "secrets">): string;
  /** Its messages are signed with the destination's secret, which whoever adds it is told. */
  isSigned: boolean;
  /** Makes one attempt. */
  send(ctx: Context, sending: Sending, signal: AbortSignal): Promise<Outcome>;
}
