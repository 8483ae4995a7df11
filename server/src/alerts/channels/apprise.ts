import { type Static, Type } from "typebox";
import type { FieldErrors } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { harmless } from "../../platform/secrets/config-secrets.ts";
import type { NotificationType } from "../event-rules.ts";
import type { HttpChannelKind } from "./kind.ts";
import { unlinkedText } from "./message.ts";
import { plainText, type Words } from "./message-words.ts";
import { below, hostOf, secretText, serverUrl } from "./post.ts";

const appriseConfigSchema = Type.Object(
  {
    server: serverUrl("The Apprise API server."),
    key: Type.Optional(secretText("The key of a configuration that is stored there.")),
    tag: Type.Optional(
      Type.String({
        maxLength: 255,
        description: "Which of its entries are notified. Usually all.",
        examples: ["oncall"],
        ...harmless,
      }),
    ),
    urls: Type.Optional(
      secretText("Instead of a stored configuration: the Apprise URLs to notify, separated by spaces."),
    ),
  },
  {
    additionalProperties: false,
    title: "Apprise",
    description: "Hands messages to an Apprise API server, which knows a hundred other services.",
  },
);

type AppriseConfig = Static<typeof appriseConfigSchema>;

const TYPES: Readonly<Record<NotificationType, string>> = {
  error: "failure",
  warning: "warning",
  success: "success",
  info: "info",
};
/** Nothing is stored under that key, or no URL among those that were given. */
const NOTHING_SENT = 204;
/** Some of its targets were not reached; the others receive the message again. */
const NOT_ALL = 424;
const NOT_ALL_PAUSE_MS = 600_000;

/** A gateway to other services: Apprise API (its OpenAPI document: /notify and /notify/{key}). */
export const appriseChannel: HttpChannelKind<AppriseConfig> = {
  type: "apprise",
  isSelfHosted: true,
  configSchema: appriseConfigSchema,
  target: ({ server }) => hostOf(server),
  complete: (config, stored) => onlyTheNew(config, stored),
  problems({ key, urls }): FieldErrors {
    if ((key === undefined) !== (urls === undefined)) return {};
    return { [key === undefined ? "key" : "urls"]: [msg("channel.key_or_urls")] };
  },
  request({ server, key, tag, urls = "" }, { words, message: { type } }) {
    const to =
      key === undefined
        ? { urls: urls.split(/\s+/).filter((url) => url !== "") }
        : tag !== undefined && { tag };
    const { title, body } = unmarked(words);
    const json = { ...to, title, body, type: TYPES[type], format: "text" };
    const path = key === undefined ? "/notify" : `/notify/${encodeURIComponent(key)}`;
    return { url: below(server, path), body: { json } };
  },
  evaluate({ status }) {
    if (status === NOTHING_SENT) return "ended";
    return status === NOT_ALL ? { afterMs: NOT_ALL_PAUSE_MS } : undefined;
  },
};

/** It hands plain text on as it is, also to services that find links, mentions and Markdown in it. */
const unmarked = (words: Words): { title: string; body: string } => ({
  title: unlinkedText(words.title),
  body: plainText({
    ...words,
    text: unlinkedText(words.text),
    links: words.links.map(({ label, url }) => ({ label: unlinkedText(label), url })),
    details: words.details.map(({ label, value }) => ({ label, value: unlinkedText(value) })),
  }),
});

/** Who had the one and gives the other wants the other: what is never returned cannot be taken away. */
function onlyTheNew(config: AppriseConfig, stored: Partial<AppriseConfig>): Partial<AppriseConfig> {
  const { key, urls, ...rest } = config;
  if (key === undefined || urls === undefined) return config;
  if (stored.urls !== undefined && stored.key === undefined) return { ...rest, key };
  if (stored.key !== undefined && stored.urls === undefined) return { ...rest, urls };
  return config;
}
