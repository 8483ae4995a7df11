import { type Static, Type } from "typebox";
import { COLOURS } from "./colours.ts";
import { hostOf, secretUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";

const slackConfigSchema = Type.Object(
  {
    url: secretUrl("The URL of an incoming webhook.", "https://hooks.slack.com/services/T000/B000/XXXX"),
  },
  {
    additionalProperties: false,
    title: "Slack",
    description: "Writes into the channel of an incoming webhook.",
  },
);

type SlackConfig = Static<typeof slackConfigSchema>;

/** Of a block's text, and of a button's. */
const MAX_TEXT = 2_900;
const MAX_FIELDS = 10;

/** A Slack channel, by an incoming webhook: which can neither edit a message nor answer one. */
export const slackChannel: HttpChannelKind<SlackConfig> = {
  type: "slack",
  configSchema: slackConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, link }, message: { type } }) {
    const section = { type: "section", text: mrkdwn(`*${escaped(title)}*\n${escaped(text)}`) };
    const fields = details
      .slice(0, MAX_FIELDS)
      .map(({ label, value }) => mrkdwn(`*${escaped(label)}*\n${escaped(value)}`));
    const button = link && {
      type: "actions",
      elements: [{ type: "button", text: { type: "plain_text", text: link.label }, url: link.url }],
    };
    const blocks = [
      section,
      ...(fields.length > 0 ? [{ type: "section", fields }] : []),
      ...(button ? [button] : []),
    ];
    // The text outside is what a phone's notification shows.
    return {
      url,
      body: { json: { text: escaped(title), attachments: [{ color: `#${COLOURS[type]}`, blocks }] } },
    };
  },
};

const mrkdwn = (text: string) => ({ type: "mrkdwn", text: text.slice(0, MAX_TEXT) });

/** The three characters that mean something in Slack's texts: mentions and links begin with one. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
