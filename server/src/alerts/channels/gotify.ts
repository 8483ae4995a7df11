import { type Static, Type } from "typebox";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { plainText } from "./message-words.ts";
import { below, headerText, hostOf, serverUrl } from "./post.ts";

const gotifyConfigSchema = Type.Object(
  {
    server: serverUrl("The Gotify server."),
    token: headerText("The token of an application on it."),
  },
  {
    additionalProperties: false,
    title: "Gotify",
    description: "Sends to an application of a Gotify server.",
  },
);

type GotifyConfig = Static<typeof gotifyConfigSchema>;

/** From 8 on a phone makes a sound, whatever else it does. */
const PRIORITIES: Readonly<Record<NotificationType, number>> = { error: 8, warning: 6, success: 5, info: 5 };

/** An application of a Gotify server. */
export const gotifyChannel: HttpChannelKind<GotifyConfig> = {
  type: "gotify",
  isSelfHosted: true,
  configSchema: gotifyConfigSchema,
  target: ({ server }) => hostOf(server),
  request({ server, token }, { words, message: { type } }) {
    const extras = {
      "client::display": { contentType: "text/plain" },
      ...(words.link && { "client::notification": { click: { url: words.link.url } } }),
    };
    const message = plainText(words);
    return {
      url: below(server, "/message"),
      headers: { "x-gotify-key": token },
      body: { json: { title: words.title, message, priority: PRIORITIES[type], extras } },
    };
  },
};
