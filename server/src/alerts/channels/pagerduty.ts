import { type Static, Type } from "typebox";
import type { Severity } from "../../platform/monitor-defaults.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut, endsProblem, type Message, severityOf } from "./message.ts";
import { below, hostOf, secretText, serverUrl } from "./post.ts";

const SERVER = "https://events.pagerduty.com";

const pagerdutyConfigSchema = Type.Object(
  {
    key: secretText("The integration key of a service (Events API v2)."),
    server: Type.Optional(
      serverUrl("Where events are sent. In the EU region: https://events.eu.pagerduty.com.", SERVER),
    ),
  },
  {
    additionalProperties: false,
    title: "PagerDuty",
    description: "Triggers an alert of a service, and resolves it.",
  },
);

type PagerdutyConfig = Static<typeof pagerdutyConfigSchema>;

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: "critical",
  high: "error",
  medium: "warning",
  low: "info",
};
/** Characters (Send an alert event). */
const MAX_SUMMARY = 1_024;
/** A few minutes where the answer names no time (Events API v2 overview: Rate limits). */
const PAUSE_MS = 180_000;

/** A service of PagerDuty, by its Events API v2: all messages about one outage are one alert there. */
export const pagerdutyChannel: HttpChannelKind<PagerdutyConfig> = {
  type: "pagerduty",
  supportsAcknowledgement: true,
  reader: "pager",
  configSchema: pagerdutyConfigSchema,
  target: ({ server = SERVER }) => hostOf(server),
  request({ key, server = SERVER }, { words, message, threadKey }) {
    const { monitor, at, locations } = message;
    const links = [words.link, ...words.links].filter((one) => one !== null);
    const severity = severityOf(message);
    const payload = {
      summary: cut(`${words.title}: ${words.text}`, MAX_SUMMARY),
      source: monitor?.target ?? "Vedette",
      severity: severity ? SEVERITIES[severity] : "info",
      timestamp: new Date(at).toISOString(),
      custom_details: { text: words.text, locations, tags: monitor?.tags ?? [] },
    };
    const json = {
      routing_key: key,
      event_action: actionOf(message),
      dedup_key: threadKey,
      payload,
      client: "Vedette",
      ...(links.length > 0 && { links: links.map(({ label, url }) => ({ href: url, text: label })) }),
    };
    return { url: below(server, "/v2/enqueue"), body: { json } };
  },
  evaluate({ status, header, body }) {
    if (status === 429 && header("retry-after") === undefined) return { afterMs: PAUSE_MS };
    // It says of a key that it does not know what it says of a bad event.
    return status === 400 && /routing.key/i.test(body) ? "ended" : undefined;
  },
};

/** Send an alert event: an acknowledged alert goes on, and escalates no further. */
function actionOf(message: Message): "trigger" | "acknowledge" | "resolve" {
  if (message.event === "acknowledged") return "acknowledge";
  // A test is not to wake anybody for longer than it takes.
  return endsProblem(message) || message.event === "test" ? "resolve" : "trigger";
}
