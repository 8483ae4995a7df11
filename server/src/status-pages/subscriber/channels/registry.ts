import type { Config } from "../../../platform/config.ts";
import { SUBSCRIBER_KINDS, type SubscriberKind } from "../kinds.ts";
import type { SubscriberChannel } from "./channel.ts";
import { emailChannel } from "./email.ts";
import { slackChannel, webhookChannel } from "./webhook-and-slack.ts";

export const SUBSCRIBER_CHANNELS: Readonly<Record<SubscriberKind, SubscriberChannel>> = {
  email: emailChannel,
  webhook: webhookChannel,
  slack: slackChannel,
};

/** None without a public address for links, no mail without a mail server. */
export const kindsOffered = (config: Pick<Config, "publicUrl" | "smtp">): SubscriberKind[] =>
  SUBSCRIBER_KINDS.filter((kind) => SUBSCRIBER_CHANNELS[kind].lack(config) === null);
