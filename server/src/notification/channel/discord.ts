import { type Static, Type } from "typebox";
import { COLOURS } from "./colours.ts";
import { hostOf, secretUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";
import { textAt } from "./text-at.ts";

const discordConfigSchema = Type.Object(
  { url: secretUrl("The URL of a webhook.", "https://discord.com/api/webhooks/123/abc") },
  { additionalProperties: false, title: "Discord", description: "Writes into the channel of a webhook." },
);

type DiscordConfig = Static<typeof discordConfigSchema>;

const MAX_TITLE = 256;
const MAX_TEXT = 4_096;
const MAX_VALUE = 1_024;
/** Of a message that was deleted, beside 404. */
const UNKNOWN_MESSAGE = /"code":\s*10008\b/;

/** A Discord channel, by a webhook. The end of a trouble is written into the message that told of it. */
export const discordChannel: HttpChannelKind<DiscordConfig> = {
  type: "discord",
  configSchema: discordConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, link }, message, reference }) {
    const embed = {
      title: title.slice(0, MAX_TITLE),
      description: text.slice(0, MAX_TEXT),
      color: Number.parseInt(COLOURS[message.type], 16),
      fields: details.map(({ label, value }) => ({
        name: label,
        value: value.slice(0, MAX_VALUE),
        inline: true,
      })),
      timestamp: new Date(message.at).toISOString(),
      ...(link && { url: link.url }),
    };
    // Nobody is mentioned, whatever a monitor is called.
    const json = { embeds: [embed], allowed_mentions: { parse: [] } };
    const address = new URL(url);
    if (reference !== null && message.event === "monitor.up") {
      address.pathname = `${address.pathname.replace(/\/+$/, "")}/messages/${encodeURIComponent(reference)}`;
      return { method: "PATCH", url: address.href, body: { json } };
    }
    // Else it answers nothing, and the message could not be found again.
    address.searchParams.set("wait", "true");
    return { url: address.href, body: { json } };
  },
  judge: ({ status, body }) => (status === 404 && UNKNOWN_MESSAGE.test(body) ? "unknown" : undefined),
  reference: ({ body }) => textAt(body, "id"),
};
