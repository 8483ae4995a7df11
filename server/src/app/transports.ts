import { channelTransport } from "../alerts/channels/channel-transport.ts";
import type { Transports } from "../alerts/deliver.ts";
import { mailTransport } from "../alerts/mail/mail-transport.ts";
import { subscriberTransport } from "../status-pages/subscriber/subscriber-transport.ts";

export const TRANSPORTS: Transports = {
  mail: mailTransport,
  channel: channelTransport,
  person: channelTransport,
  subscriber: subscriberTransport,
};
