import { Type } from "typebox";
import { titleMessage } from "../../incidents/title-rules.ts";
import type { ListedMonitor } from "../../monitors/queries/listed-monitors.ts";
import { FULL_STATES, stateOf } from "../../monitors/schemas/monitor-input.ts";
import { SparklinesQuery } from "../../monitors/schemas/monitor-stats.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { INCIDENT_STATUSES, MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  MessageSchema,
  nullable,
  oneOf,
  readId,
  sentenceOf,
  shown,
  Timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import type { FoundIncident, FoundMonitor } from "../queries/search.ts";

export const SearchQuery = Type.Object({
  q: Type.String({
    default: "",
    maxLength: 2048,
    pattern: "^[^\\u0000]*$",
    description:
      "Part of a name, a tag, a URL or another address, upper or lower case; of several words each has to be there (the first eight count). Or a number, with or without `#`, or a uuid. Nothing is found by nothing.",
    examples: ["shop"],
  }),
  ids: Type.Optional({
    ...SparklinesQuery.properties.ids,
    description:
      "Instead of `q`: integer ids or uuids of domains and services, up to 100 of them, with commas in between. Those that there are, whatever `limit` says.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: "Results, the best first." }),
});

export const SearchResult = Type.Object(
  {
    kind: oneOf([...MONITOR_KINDS, "incident"]),
    id: Type.Integer({ examples: [42] }),
    uuid: Uuid,
    name: Type.String({ description: "Of an incident its title.", examples: ["Shop"] }),
    fact: MessageSchema,
    address: nullable(Type.String(), "What is checked, as typed; null for an incident."),
    tags: Type.Array(Type.String()),
    status: oneOf([...FULL_STATES, ...INCIDENT_STATUSES], {
      description: "The full state of a domain or service; the status of an incident.",
    }),
    since: nullable(Timestamp, "When the state became what it is; of an incident, the first failure."),
    lastReason: fromOutside(
      nullable(
        Type.String(),
        "What the last check of a domain or service found wrong, as a sentence; null for an incident.",
      ),
    ),
    lastReasonFact: MessageSchema,
    monitorId: nullable(
      Type.Integer(),
      "Of an incident, the domain, service or device that speaks for it; null: none has been down in it.",
    ),
    monitorKind: nullable(oneOf(MONITOR_KINDS), "Which of the two it is."),
  },
  { title: "SearchResult" },
);

/** Null for other text. */
export const readSearchedId = (text: string) => readId(text.trim().replace(/^#/, ""));

const NOT_AN_INCIDENT = { fact: null, monitorId: null, monitorKind: null };

export const projectFoundMonitor = (kind: FoundMonitor["kind"], monitor: ListedMonitor) =>
  shown(SearchResult, {
    ...NOT_AN_INCIDENT,
    ...monitor,
    kind,
    address: monitor.displayTarget,
    status: stateOf(monitor.status, monitor.enabled),
    since: monitor.statusSince,
    lastReason: sentenceOf(monitor.lastReason),
    lastReasonFact: monitor.lastReason,
  });

export function projectFoundIncident(incident: FoundIncident) {
  const { title, status } = incident;
  const said = titleMessage(incident, { isOver: status === "resolved" });
  return shown(SearchResult, {
    ...incident,
    kind: "incident",
    name: said ? inEnglish(said) : title,
    fact: said,
    address: null,
    tags: [],
    since: incident.startedAt,
    lastReason: null,
    lastReasonFact: null,
  });
}
