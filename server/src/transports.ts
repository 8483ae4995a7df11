import { channelTransport } from "./notification/channel/channel-transport.ts";
import type { Transports } from "./notification/deliver.ts";
import { mailTransport } from "./notification/mail/mail-transport.ts";
import { subscriberTransport } from "./page/subscriber/subscriber-transport.ts";

export const TRANSPORTS: Transports = {
  mail: mailTransport,
  channel: channelTransport,
  person: channelTransport,
  subscriber: subscriberTransport,
};
