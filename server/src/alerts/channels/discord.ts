import { type Static, Type } from "typebox";
import type { HttpChannelKind } from "./kind.ts";
import { COLOURS, cut, endsProblem, inMarkdown, markdownEnd, markdownLink, textAt } from "./message.ts";
import { hostOf, secretUrl } from "./post.ts";

const discordConfigSchema = Type.Object(
  { url: secretUrl("The URL of a webhook.", "https://discord.com/api/webhooks/123/abc") },
  { additionalProperties: false, title: "Discord", description: "Writes into the channel of a webhook." },
);

type DiscordConfig = Static<typeof discordConfigSchema>;

/** Of a title, a description, and all of an embed together (Message resource: Embed limits). */
const MAX_TITLE = 256;
const MAX_TEXT = 4_096;
const MAX_EMBED = 6_000;
/** Of the text above the embed. */
const MAX_CONTENT = 2_000;
/** Of fields 25, their names 256, their values 1,024: less, so that the description has room. */
const MAX_FIELDS = 10;
const MAX_NAME = 100;
const MAX_VALUE = 300;
/** The message was deleted, or another webhook wrote it (Opcodes and status codes: JSON). */
const UNKNOWN_MESSAGE = new Set(["10008", "50005"]);
const SECOND_MS = 1_000;

/**
 * A Discord channel, by a webhook. The end of an outage is edited into the message that announced it, and an acknowledgement is
 * placed above that.
 */
export const discordChannel: HttpChannelKind<DiscordConfig> = {
  type: "discord",
  configSchema: discordConfigSchema,
  supportsAcknowledgement: true,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, links, acknowledge, link }, message, reference }) {
    const heading = fitted(title, MAX_TITLE);
    const fields = details.slice(0, MAX_FIELDS).map(({ label, value }) => ({
      name: fitted(label, MAX_NAME),
      value: fitted(value, MAX_VALUE),
      inline: true,
    }));
    const rest = fields.reduce((left, { name, value }) => left - name.length - value.length, MAX_EMBED);
    const action = acknowledge && `**${markdownLink(acknowledge)}**`;
    const end = markdownEnd(links, action, MAX_TEXT / 2);
    const embed = {
      title: heading,
      description: fitted(text, Math.min(MAX_TEXT, rest - heading.length) - end.length) + end,
      color: Number.parseInt(COLOURS[message.type], 16),
      fields,
      timestamp: new Date(message.at).toISOString(),
      ...(link && { url: link.url }),
    };
    // No mention is resolved, whatever a monitor is called.
    const own = { allowed_mentions: { parse: [] } };
    const address = new URL(url);
    const isAcknowledged = message.event === "acknowledged";
    if (reference !== null && (isAcknowledged || endsProblem(message))) {
      address.pathname = `${address.pathname.replace(/\/+$/, "")}/messages/${encodeURIComponent(reference)}`;
      // What a change does not name stays as it is: what happened, or (at the end) nothing but that it is over.
      const json = isAcknowledged
        ? { ...own, content: fitted(text, MAX_CONTENT) }
        : { ...own, content: "", embeds: [embed] };
      return { method: "PATCH", url: address.href, body: { json } };
    }
    // Else it answers nothing, and the message could not be found again.
    address.searchParams.set("wait", "true");
    return { url: address.href, body: { json: { ...own, embeds: [embed] } } };
  },
  evaluate({ status, body }) {
    const isUnknown = UNKNOWN_MESSAGE.has(textAt(body, "code") ?? "");
    return (status === 404 || status === 403) && isUnknown ? "unknown" : undefined;
  },
  // What would come before that is refused (Rate limits).
  pauseMs({ header }) {
    const seconds = Number(header("x-ratelimit-reset-after"));
    return header("x-ratelimit-remaining") === "0" && seconds > 0 ? seconds * SECOND_MS : undefined;
  },
  reference: ({ body }) => textAt(body, "id"),
};

/** As Discord shows it as it is, and no longer than that. */
const fitted = (text: string, limit: number): string =>
  inMarkdown(cut(text, limit, (beginning) => inMarkdown(beginning).length));
