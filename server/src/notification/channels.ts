import type { Channel } from "./channel.ts";
import { mailChannel } from "./mail/mail-channel.ts";

/** Every way to reach people, by the name that the outbox keeps. */
export const CHANNELS = {
  mail: mailChannel,
} satisfies Record<string, Channel>;

export type ChannelName = keyof typeof CHANNELS;
