import { type Static, Type } from "typebox";
import type { HttpChannelKind } from "./kind.ts";
import { COLOURS, cut, inMarkdown, markdownEnd, markdownLink, textAt, unlinkedText } from "./message.ts";
import { hostOf, secretUrl } from "./post.ts";

const mattermostConfigSchema = Type.Object(
  { url: secretUrl("The URL of an incoming webhook.", "https://mattermost.example.com/hooks/xxxx") },
  {
    additionalProperties: false,
    title: "Mattermost",
    description: "Writes into the channel of an incoming webhook.",
  },
);

type MattermostConfig = Static<typeof mattermostConfigSchema>;

/** Of a post, which is cut over there, or in two (Incoming webhooks). */
const MAX_TEXT = 4_000;
/** It was deleted, or an administrator has turned all of them off. */
const ENDED = new Set(["web.incoming_webhook.invalid.app_error", "web.incoming_webhook.disabled.app_error"]);

/** A Mattermost channel, by an incoming webhook. */
export const mattermostChannel: HttpChannelKind<MattermostConfig> = {
  type: "mattermost",
  isSelfHosted: true,
  configSchema: mattermostConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, links, acknowledge, link }, message: { type } }) {
    const end = markdownEnd(links, acknowledge && markdownLink(acknowledge), MAX_TEXT / 2);
    const attachment = {
      fallback: unlinkedText(title),
      color: `#${COLOURS[type]}`,
      // A title that is a link is plain text over there, as captions are; any other is Markdown.
      title: link ? cut(title, MAX_TEXT) : fitted(title),
      text: fitted(text, MAX_TEXT - end.length) + end,
      fields: details.map(({ label, value }) => ({
        short: true,
        title: cut(label, MAX_TEXT),
        value: fitted(value),
      })),
      ...(link && { title_link: link.url }),
    };
    return { url, body: { json: { attachments: [attachment] } } };
  },
  evaluate: ({ body }) => (ENDED.has(textAt(body, "id") ?? "") ? "ended" : undefined),
};

/** As Mattermost shows it as it is, and no longer than that. */
const fitted = (text: string, limit: number = MAX_TEXT): string =>
  inMarkdown(cut(text, limit, (beginning) => inMarkdown(beginning).length));
