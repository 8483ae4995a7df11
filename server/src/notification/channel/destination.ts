import type { SecretBox } from "../../context.ts";
import { openConfig } from "../../secret/sealed-config.ts";
import type { Channel } from "../../store/queries/channels.ts";

/** What a channel leads to, to be compared: another one once somebody has it lead elsewhere. Holds its secrets. */
export const destinationOf = (secrets: SecretBox, channel: Channel): string =>
  JSON.stringify([channel.type, openConfig(secrets, channel)]);
