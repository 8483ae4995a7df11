import { type Static, Type } from "typebox";
import { below, secretText, serverUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";
import { textAt } from "./text-at.ts";
import { plainText } from "./words.ts";

const SERVER = "https://api.telegram.org";

const telegramConfigSchema = Type.Object(
  {
    token: secretText("The bot's token, from @BotFather."),
    chat: Type.String({
      pattern: "^(-?\\d{1,20}|@\\w{4,64})$",
      description: "The id of a chat or group that the bot is in, or the @name of a channel.",
      examples: ["-1001234567890"],
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
const SECOND_MS = 1_000;

/** A Telegram chat, by a bot. What follows answers the first message about a trouble. */
export const telegramChannel: HttpChannelKind<TelegramConfig> = {
  type: "telegram",
  configSchema: telegramConfigSchema,
  target: ({ chat }) => chat,
  request({ token, chat, server = SERVER }, { words, reference }) {
    // As it is, without marks: nothing in it can be read as one.
    const text = `${words.title}\n\n${plainText(words)}`.slice(0, MAX_TEXT);
    const answering = reference !== null && {
      reply_parameters: { message_id: Number(reference), allow_sending_without_reply: true },
    };
    const json = { chat_id: chat, text, link_preview_options: { is_disabled: true }, ...answering };
    return { url: below(server, `/bot${token}/sendMessage`), body: { json } };
  },
  judge({ status, body }) {
    const seconds = Number(textAt(body, "parameters", "retry_after"));
    if (status === 429 && seconds > 0) return { afterMs: seconds * SECOND_MS };
    // The bot was thrown out, or the chat never was.
    return status === 400 && /chat not found/i.test(textAt(body, "description") ?? "") ? "ended" : undefined;
  },
  reference: ({ body }) => textAt(body, "result", "message_id"),
};
