import { type Static, Type } from "typebox";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut } from "./message.ts";
import { plainText } from "./message-words.ts";
import { below, hostOf, secretText, serverUrl } from "./post.ts";

const SERVER = "https://api.pushover.net";

const pushoverConfigSchema = Type.Object(
  {
    token: secretText("The API token of an application."),
    user: secretText("The key of the user or group to reach."),
    server: Type.Optional(serverUrl("Where messages are sent.", SERVER)),
  },
  { additionalProperties: false, title: "Pushover", description: "Sends to a user's or a group's devices." },
);

type PushoverConfig = Static<typeof pushoverConfigSchema>;

/** 1 passes by the hours in which the user wants to be left alone. */
const PRIORITIES: Readonly<Record<NotificationType, number>> = { error: 1, warning: 0, success: 0, info: 0 };
/** Characters (Message API: Limits). */
const MAX_TITLE = 250;
const MAX_TEXT = 1_024;
const MAX_URL = 512;
const MAX_URL_TITLE = 100;
const SECOND_MS = 1_000;

/** Devices, by Pushover. */
export const pushoverChannel: HttpChannelKind<PushoverConfig> = {
  type: "pushover",
  configSchema: pushoverConfigSchema,
  target: ({ server = SERVER }) => hostOf(server),
  request({ token, user, server = SERVER }, { words, message: { type, at } }) {
    const form = {
      token,
      user,
      title: cut(words.title, MAX_TITLE),
      message: plainText({ ...words, link: null }, MAX_TEXT),
      priority: String(PRIORITIES[type]),
      timestamp: String(Math.floor(at / 1000)),
      ...(words.link &&
        words.link.url.length <= MAX_URL && {
          url: words.link.url,
          url_title: cut(words.link.label, MAX_URL_TITLE),
        }),
    };
    return { url: below(server, "/1/messages.json"), body: { form } };
  },
  evaluate({ status, header, body }, now) {
    // The month's messages are used up.
    const resetMs = Number(header("x-limit-app-reset")) * SECOND_MS - now;
    if (status === 429 && resetMs > 0) return { afterMs: resetMs };
    return status === 400 && /"(?:token|user)":\s*"invalid"/.test(body) ? "ended" : undefined;
  },
};
