import type { Config } from "../../../config.ts";
import { SUBSCRIBER_KINDS, type SubscriberKind } from "../kinds.ts";
import { emailChannel } from "./email.ts";
import type { SubscriberChannel } from "./sending.ts";
import { slackChannel } from "./slack.ts";
import { webhookChannel } from "./webhook.ts";

/** What subscribers of each kind are told by. */
export const SUBSCRIBER_CHANNELS: Readonly<Record<SubscriberKind, SubscriberChannel>> = {
  email: emailChannel,
  webhook: webhookChannel,
  slack: slackChannel,
};

/** How visitors can be told: not without an address for the links, nor by mail without a mail server. */
export const kindsOffered = (config: Pick<Config, "publicUrl" | "smtp">): SubscriberKind[] =>
  SUBSCRIBER_KINDS.filter((kind) => SUBSCRIBER_CHANNELS[kind].lack(config) === null);
