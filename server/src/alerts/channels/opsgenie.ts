import { type Static, Type } from "typebox";
import type { Severity } from "../../platform/monitor-defaults.ts";
import type { HttpChannelKind } from "./kind.ts";
import { cut, endsProblem, severityOf } from "./message.ts";
import { plainText } from "./message-words.ts";
import { below, headerText, hostOf, serverUrl } from "./post.ts";

const SERVER = "https://api.opsgenie.com";

const opsgenieConfigSchema = Type.Object(
  {
    key: headerText("The API key of an API integration of a team."),
    server: Type.Optional(
      serverUrl("Where alerts are sent. In the EU region: https://api.eu.opsgenie.com.", SERVER),
    ),
  },
  { additionalProperties: false, title: "Opsgenie", description: "Creates an alert, and closes it." },
);

type OpsgenieConfig = Static<typeof opsgenieConfigSchema>;

const PRIORITIES: Readonly<Record<Severity, string>> = {
  critical: "P1",
  high: "P2",
  medium: "P3",
  low: "P4",
};
const SOURCE = "Vedette";
const MAX_MESSAGE = 130;
const MAX_DESCRIPTION = 15_000;
/** All of them together: 8,000. */
const MAX_DETAIL = 1_500;
const MAX_ENTITY = 512;
const MAX_NOTE = 25_000;
const MAX_TAGS = 20;
const MAX_TAG = 50;

/**
 * A team of Opsgenie (Alert API: Create alert, Close alert): all messages about one outage are one alert there, by its alias.
 */
export const opsgenieChannel: HttpChannelKind<OpsgenieConfig> = {
  type: "opsgenie",
  supportsAcknowledgement: true,
  reader: "pager",
  configSchema: opsgenieConfigSchema,
  target: ({ server = SERVER }) => hostOf(server),
  request({ key, server = SERVER }, { words, message, threadKey }) {
    const headers = { authorization: `GenieKey ${key}` };
    const { title, text, details, acknowledge } = words;
    const { monitor, event } = message;
    const severity = severityOf(message);
    // A test is not to wake anybody: closing what is not there is taken, and shows that the key is.
    const isAcknowledged = event === "acknowledged";
    if (isAcknowledged || endsProblem(message) || event === "test") {
      const action = isAcknowledged ? "acknowledge" : "close";
      const path = `/v2/alerts/${encodeURIComponent(threadKey)}/${action}?identifierType=alias`;
      const json = { source: SOURCE, note: cut(`${title}\n${text}`, MAX_NOTE) };
      return { url: below(server, path), headers, body: { json } };
    }
    const json = {
      message: cut(title, MAX_MESSAGE),
      alias: threadKey,
      description: plainText({ ...words, details: [], acknowledge: null }, MAX_DESCRIPTION),
      details: Object.fromEntries([
        ...details.map(({ label, value }) => [label, cut(value, MAX_DETAIL)]),
        ...(acknowledge ? [[acknowledge.label, acknowledge.url]] : []),
      ]),
      tags: (monitor?.tags ?? []).slice(0, MAX_TAGS).map((tag) => cut(tag, MAX_TAG)),
      entity: cut(monitor?.target ?? "", MAX_ENTITY),
      source: SOURCE,
      priority: severity ? PRIORITIES[severity] : "P5",
    };
    return { url: below(server, "/v2/alerts"), headers, body: { json } };
  },
};
