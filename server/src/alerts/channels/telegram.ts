import { type Static, Type } from "typebox";
import { harmless } from "../../platform/secrets/config-secrets.ts";
import type { HttpChannelKind } from "./kind.ts";
import { textAt } from "./message.ts";
import { plainText } from "./message-words.ts";
import { below, secretText, serverUrl } from "./post.ts";

const SERVER = "https://api.telegram.org";

const telegramConfigSchema = Type.Object(
  {
    token: secretText("The bot's token, from @BotFather."),
    chat: Type.String({
      pattern: "^(-?\\d{1,20}|@\\w{4,64})$",
      description: "The id of a chat or group that the bot is in, or the @name of a channel.",
      examples: ["-1001234567890"],
      ...harmless,
    }),
    server: Type.Optional(serverUrl("The Bot API server, where it is one of your own.", SERVER)),
  },
  {
    additionalProperties: false,
    title: "Telegram",
    description: "Writes to a chat, group or channel by a bot.",
  },
);

type TelegramConfig = Static<typeof telegramConfigSchema>;

const MAX_TEXT = 4_096;
/** The chat is gone, or another one whose id is not said, or the bot may not write there. */
const ENDED =
  /chat not found|upgraded to a supergroup|group is deactivated|rights to send|CHAT_WRITE_FORBIDDEN/i;
const CHAT_ID = /^-\d{1,20}$/;
const SECOND_MS = 1_000;

/** A Telegram chat, by a bot. Later messages reply to the first one about an outage. */
export const telegramChannel: HttpChannelKind<TelegramConfig> = {
  type: "telegram",
  supportsAcknowledgement: true,
  configSchema: telegramConfigSchema,
  target: ({ chat }) => chat,
  request({ token, chat, server = SERVER }, { words, reference }) {
    // As it is, without marks: nothing in it can be read as one.
    const text = plainText({ ...words, text: `${words.title}\n\n${words.text}` }, MAX_TEXT);
    const answering = reference !== null && {
      reply_parameters: { message_id: Number(reference), allow_sending_without_reply: true },
    };
    const json = { chat_id: chat, text, link_preview_options: { is_disabled: true }, ...answering };
    return { url: below(server, `/bot${token}/sendMessage`), body: { json } };
  },
  evaluate({ status, body }) {
    // A group that became a supergroup has another id from then on.
    const chat = textAt(body, "parameters", "migrate_to_chat_id") ?? "";
    if (status === 400 && CHAT_ID.test(chat)) return { moved: { chat } };
    const seconds = Number(textAt(body, "parameters", "retry_after"));
    if (status === 429 && seconds > 0) return { afterMs: seconds * SECOND_MS };
    return status === 400 && ENDED.test(textAt(body, "description") ?? "") ? "ended" : undefined;
  },
  reference: ({ body }) => textAt(body, "result", "message_id"),
};
