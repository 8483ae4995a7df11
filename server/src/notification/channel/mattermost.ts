import { type Static, Type } from "typebox";
import { COLOURS } from "./colours.ts";
import { hostOf, secretUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";

const mattermostConfigSchema = Type.Object(
  { url: secretUrl("The URL of an incoming webhook.", "https://mattermost.example.com/hooks/xxxx") },
  {
    additionalProperties: false,
    title: "Mattermost",
    description: "Writes into the channel of an incoming webhook.",
  },
);

type MattermostConfig = Static<typeof mattermostConfigSchema>;

/** A Mattermost channel, by an incoming webhook. */
export const mattermostChannel: HttpChannelKind<MattermostConfig> = {
  type: "mattermost",
  configSchema: mattermostConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, link }, message: { type } }) {
    const attachment = {
      fallback: title,
      color: `#${COLOURS[type]}`,
      title: inert(title),
      text: inert(text),
      fields: details.map(({ label, value }) => ({ short: true, title: label, value: inert(value) })),
      ...(link && { title_link: link.url }),
    };
    return { url, body: { json: { attachments: [attachment] } } };
  },
};

/** Mentions nobody, whatever a monitor is called. */
const inert = (text: string): string => text.replaceAll("@", "@\u200b");
