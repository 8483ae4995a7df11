import { subscriberTransport } from "../page/subscriber/subscriber-transport.ts";
import { channelTransport } from "./channel/channel-transport.ts";
import { mailTransport } from "./mail/mail-transport.ts";
import type { Transport } from "./transport.ts";

/** Every way that the outbox sends things, by the name that it keeps. */
export const TRANSPORTS = {
  mail: mailTransport,
  channel: channelTransport,
  person: channelTransport,
  subscriber: subscriberTransport,
} satisfies Record<string, Transport>;
