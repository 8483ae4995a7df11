import { type Static, Type } from "typebox";
import type { NoticeType } from "../rules.ts";
import { below, hostOf, secretText, serverUrl } from "./fields.ts";
import type { HttpChannelKind } from "./kind.ts";
import { plainText } from "./words.ts";

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
const PRIORITIES: Readonly<Record<NoticeType, number>> = { error: 1, warning: 0, success: 0, info: 0 };
const MAX_TITLE = 250;
const MAX_TEXT = 1_024;

/** Devices, by Pushover. */
export const pushoverChannel: HttpChannelKind<PushoverConfig> = {
  type: "pushover",
  configSchema: pushoverConfigSchema,
  target: ({ server = SERVER }) => hostOf(server),
  request({ token, user, server = SERVER }, { words, message: { type, at } }) {
    const form = {
      token,
      user,
      title: words.title.slice(0, MAX_TITLE),
      message: plainText({ ...words, link: null }).slice(0, MAX_TEXT),
      priority: String(PRIORITIES[type]),
      timestamp: String(Math.floor(at / 1000)),
      ...(words.link && { url: words.link.url, url_title: words.link.label }),
    };
    return { url: below(server, "/1/messages.json"), body: { form } };
  },
  judge: ({ status, body }) =>
    status === 400 && /"(?:token|user)":\s*"invalid"/.test(body) ? "ended" : undefined,
};
