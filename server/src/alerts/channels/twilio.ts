import { type Static, Type } from "typebox";
import { harmless } from "../../platform/secrets/config-secrets.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut, textAt } from "./message.ts";
import { briefText } from "./message-words.ts";
import { below, headerText, serverUrl } from "./post.ts";

const SERVER = "https://api.twilio.com";

const twilioConfigSchema = Type.Object(
  {
    account: Type.String({
      pattern: "^AC[0-9a-fA-F]{32}$",
      description: "The account's SID.",
      examples: [`AC${"0".repeat(32)}`],
    }),
    login: Type.Optional(
      Type.String({
        pattern: "^SK[0-9a-fA-F]{32}$",
        description: "The SID of an API key, where the token is that key's secret.",
        examples: [`SK${"0".repeat(32)}`],
      }),
    ),
    token: headerText("The account's auth token, or the secret of an API key."),
    sender: Type.String({
      pattern: "^(\\+[1-9]\\d{6,14}|\\d{3,8}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$",
      description: "A number of the account, a sender's name, or the SID of a messaging service (MG…).",
      examples: ["+15005550006"],
      ...harmless,
    }),
    phone: Type.String({
      pattern: "^\\+[1-9]\\d{6,14}$",
      description: "The number to write to, with its country: + and digits.",
      examples: ["+4915112345678"],
      ...harmless,
    }),
    server: Type.Optional(serverUrl("Where messages are sent.", SERVER)),
  },
  { additionalProperties: false, title: "Twilio SMS", description: "Sends an SMS to a phone." },
);

type TwilioConfig = Static<typeof twilioConfigSchema>;

const SERVICE = /^MG[0-9a-f]{32}$/i;
/** 1,600 are taken; longer ones than this are advised against, and each 70 to 153 are a message that is paid for. */
const MAX_TEXT = 320;
/**
 * No number, none that takes SMS, one that wants none, a country that is not allowed, a sender that is not ours
 * (Error and Warning Dictionary).
 */
const ENDED = new Set([
  "21211",
  "21212",
  "21408",
  "21606",
  "21608",
  "21610",
  "21612",
  "21614",
  "21659",
  "21660",
  "21703",
]);

/** A phone, by Twilio (Messages resource: Create a Message). */
export const twilioChannel: HttpChannelKind<TwilioConfig> = {
  type: "twilio",
  configSchema: twilioConfigSchema,
  target: ({ phone }) => phone,
  request({ account, login, token, sender, phone, server = SERVER }, { words }) {
    const { title, link } = words;
    const end = link ? `\n${link.url}` : "";
    const form = {
      To: phone,
      [SERVICE.test(sender) ? "MessagingServiceSid" : "From"]: sender,
      Body: cut(`${title}\n${briefText(words)}`, Math.max(MAX_TEXT - end.length, 160)) + end,
    };
    const basic = Buffer.from(`${login ?? account}:${token}`).toString("base64");
    return {
      url: below(server, `/2010-04-01/Accounts/${account}/Messages.json`),
      headers: { authorization: `Basic ${basic}` },
      body: { form },
    };
  },
  evaluate: ({ status, body }) =>
    status === 400 && ENDED.has(textAt(body, "code") ?? "") ? "ended" : undefined,
};
