import { type Static, Type } from "typebox";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { COLOURS, cut, inMrkdwn } from "./message.ts";
import type { Words } from "./message-words.ts";
import { hostOf, secretUrl } from "./post.ts";

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

/** Of a message; of a section's text, its fields' texts and their number; of a button's text (Block Kit reference). */
const MAX_MESSAGE = 4_000;
const MAX_TEXT = 3_000;
const MAX_FIELD = 2_000;
const MAX_FIELDS = 10;
const MAX_LABEL = 75;
/** Of a header's text; and of sections, which leave room for others among the 50 blocks of a message. */
const MAX_HEADER = 150;
const MAX_SECTIONS = 40;

/** A Slack channel, by an incoming webhook: which can neither edit a message nor answer one. */
export const slackChannel: HttpChannelKind<SlackConfig> = {
  type: "slack",
  configSchema: slackConfigSchema,
  target: ({ url }) => hostOf(url),
  request({ url }, { words: { title, text, details, links: listed, acknowledge, link }, message: { type } }) {
    const links = [acknowledge, link].filter((one) => one !== null);
    return { url, body: { json: slackMessage({ title, text, type, details, listed, links }) } };
  },
};

/** What is said, in a section with its details and a button for each link. */
interface SlackWords extends Pick<Words, "title" | "text" | "details"> {
  type: NotificationType;
  /** What a digest lists: buttons of their own, above the others. */
  listed: Words["links"];
  links: Words["links"];
}

/** A message as an incoming webhook takes it. */
function slackMessage({ title, text, type, details, listed, links }: SlackWords): object {
  const section = { type: "section", text: headed(title, text, MAX_TEXT) };
  const fields = details.slice(0, MAX_FIELDS).map(({ label, value }) => headed(label, value, MAX_FIELD));
  const known = fields.length > 0 ? [{ type: "section", fields }] : [];
  const blocks = [section, ...known, ...buttonsOf(listed), ...buttonsOf(links)];
  // The text outside is what a phone's notification shows.
  return { text: fitted(title, MAX_MESSAGE), attachments: [coloured(type, blocks)] };
}

/** The same of what was written for other readers: in it nothing is a mark of Slack's, neither stars nor names of emoji. */
export function plainSlackMessage({
  title,
  texts,
  type,
  links,
}: Pick<SlackWords, "title" | "type" | "links"> & { texts: readonly string[] }): object {
  const plain = (text: string, limit: number) => ({
    ...{ type: "plain_text", text: fitted(text, limit, escaped), emoji: false },
  });
  const sections = texts
    .slice(0, MAX_SECTIONS)
    .map((text) => ({ type: "section", text: plain(text, MAX_TEXT) }));
  const blocks = [{ type: "header", text: plain(title, MAX_HEADER) }, ...sections, ...buttonsOf(links)];
  return { text: fitted(title, MAX_MESSAGE, escaped), mrkdwn: false, attachments: [coloured(type, blocks)] };
}

const coloured = (type: NotificationType, blocks: readonly object[]) => ({
  color: `#${COLOURS[type]}`,
  blocks,
});

function buttonsOf(links: SlackWords["links"]): object[] {
  const elements = links.map(({ label, url }) => ({
    type: "button",
    text: { type: "plain_text", text: fitted(label, MAX_LABEL, escaped), emoji: false },
    url,
  }));
  return elements.length > 0 ? [{ type: "actions", elements }] : [];
}

function headed(heading: string, text: string, limit: number) {
  const first = `*${fitted(heading, limit / 2)}*\n`;
  // Verbatim: addresses and names of channels in it are not made into links.
  return { type: "mrkdwn", text: first + fitted(text, limit - first.length), verbatim: true };
}

/** Escaped, and no longer than that. */
const fitted = (text: string, limit: number, as: (text: string) => string = inMrkdwn): string =>
  as(cut(text, limit, (beginning) => as(beginning).length));

/** Text that Slack shows without marks: only what begins a link or a mention is written otherwise. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
