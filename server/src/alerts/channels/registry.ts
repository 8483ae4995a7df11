import { pushChannel } from "../push/send-push.ts";
import { appriseChannel } from "./apprise.ts";
import { discordChannel } from "./discord.ts";
import { emailChannel } from "./email.ts";
import { gotifyChannel } from "./gotify.ts";
import type { ChannelKind } from "./kind.ts";
import { matrixChannel } from "./matrix.ts";
import { mattermostChannel } from "./mattermost.ts";
import { ntfyChannel } from "./ntfy.ts";
import { opsgenieChannel } from "./opsgenie.ts";
import { pagerdutyChannel } from "./pagerduty.ts";
import { pushoverChannel } from "./pushover.ts";
import { slackChannel } from "./slack.ts";
import { teamsChannel } from "./teams.ts";
import { telegramChannel } from "./telegram.ts";
import { twilioChannel } from "./twilio.ts";
import { webhookChannel } from "./webhook.ts";

/** Every way to reach people there is; adding one is a file and a line here. */
// biome-ignore lint/suspicious/noExplicitAny: each kind knows its own configuration; callers validate it by configSchema.
export const channelKinds = {
  email: emailChannel,
  webhook: webhookChannel,
  slack: slackChannel,
  teams: teamsChannel,
  discord: discordChannel,
  telegram: telegramChannel,
  mattermost: mattermostChannel,
  matrix: matrixChannel,
  ntfy: ntfyChannel,
  gotify: gotifyChannel,
  pushover: pushoverChannel,
  pagerduty: pagerdutyChannel,
  opsgenie: opsgenieChannel,
  twilio: twilioChannel,
  apprise: appriseChannel,
} satisfies Record<string, ChannelKind<any>>;

export type ChannelType = keyof typeof channelKinds;

/** Including those that follow from a person's settings and are not added by hand. */
const allKinds: Readonly<Record<string, ChannelKind>> = { ...channelKinds, push: pushChannel };

/** The kind of that type, null for an unknown one: a newer version's channel. */
export const channelKind = (type: string): ChannelKind | null =>
  Object.hasOwn(allKinds, type) ? (allKinds[type] ?? null) : null;
