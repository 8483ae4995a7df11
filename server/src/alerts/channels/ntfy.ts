import { type Static, Type } from "typebox";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut, utf8Bytes } from "./message.ts";
import { plainText } from "./message-words.ts";
import { below, headerText, hostOf, serverUrl } from "./post.ts";

const ntfyConfigSchema = Type.Object(
  {
    server: Type.Optional(serverUrl("The ntfy server.", "https://ntfy.sh")),
    topic: Type.String({
      pattern: "^[-_A-Za-z0-9]{1,64}$",
      description: "The topic; on a public server, everybody who knows it can read along.",
      examples: ["vedette-oncall"],
    }),
    token: Type.Optional(headerText("An access token, where the topic requires one.")),
  },
  {
    additionalProperties: false,
    title: "ntfy",
    description: "Publishes to a topic of ntfy.sh or another ntfy server.",
  },
);

type NtfyConfig = Static<typeof ntfyConfigSchema>;

/** Of a message, bytes: a longer one becomes an attachment (Publishing: Limitations). */
const MAX_TEXT = 4_096;
/** Of a title, which has no limit of its own. */
const MAX_TITLE = 250;

/** From 1 to 5, 3 is usual. */
const PRIORITIES: Readonly<Record<NotificationType, number>> = { error: 5, warning: 4, success: 3, info: 3 };
const TAGS: Readonly<Record<NotificationType, string>> = {
  error: "rotating_light",
  warning: "warning",
  success: "white_check_mark",
  info: "information_source",
};

/** A topic of ntfy, published to as JSON: so that titles may be in any language. */
export const ntfyChannel: HttpChannelKind<NtfyConfig> = {
  type: "ntfy",
  isSelfHosted: true,
  configSchema: ntfyConfigSchema,
  target: ({ server = "https://ntfy.sh", topic }) => `${hostOf(server)}/${topic}`,
  request({ server = "https://ntfy.sh", topic, token }, { words, message: { type } }) {
    const { title, acknowledge, link } = words;
    const json = {
      topic,
      title: cut(title, MAX_TITLE),
      message: plainText({ ...words, acknowledge: null, link: null }, MAX_TEXT, utf8Bytes),
      priority: PRIORITIES[type],
      tags: [TAGS[type]],
      markdown: false,
      ...(link && { click: link.url }),
      ...(acknowledge && { actions: [{ action: "view", ...acknowledge, clear: true }] }),
    };
    return {
      url: below(server, "/"),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      body: { json },
    };
  },
};
