import { type Static, Type } from "typebox";
import { resultState } from "../check/outcome.ts";
import { classOf } from "../check/reasons.ts";
import type { HistoryItem } from "../monitor/monitor-history.ts";
import { RANGES } from "../result/range.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { mapInTurns } from "../turns.ts";
import { Fact, sentenceOf } from "./fact.ts";
import { milliseconds, ms, nullable, oneOf, Timestamp, timestamp } from "./field.ts";
import { MonitorStatus, Phases, projectPhases, ResultState, resultStatus } from "./monitor-fields.ts";

export const RangeQuery = oneOf(RANGES, { default: "24h", description: "How far back from now." });

/** GET /api/domains/{id}/monitoring/history. */
export const HistoryQuery = Type.Object({
  range: RangeQuery,
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: "This many of the newest checks.",
  }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only checks older than the one with this `id`: send the last one's for the next page.",
    }),
  ),
});

/** GET /api/domains/{id}/monitoring/locations. */
export const LocationsQuery = Type.Object({
  range: RangeQuery,
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: "This many of the newest checks of each location.",
  }),
});

export const HistoryEntry = Type.Object(
  {
    id: Type.Integer({ description: "Unique within the domain." }),
    domainId: Type.Integer(),
    status: MonitorStatus,
    state: ResultState,
    responseTime: ms("The whole check."),
    statusCode: nullable(Type.Integer(), "HTTP status code; null without an answer."),
    timestamp: Timestamp,
    location: Type.String({ description: "Code of the location it was made from.", examples: ["local"] }),
    reason: nullable(Type.String(), "Why it failed or was slow, as a sentence."),
    reasonCode: nullable(Type.String(), "The kind of reason, e.g. `timeout`."),
    reasonFact: Fact,
    message: nullable(Type.String(), "What a passed check of a service says, e.g. a version, as a sentence."),
    messageFact: Fact,
    phases: Phases,
  },
  { title: "HistoryItem" },
);

const LocationEntry = Type.Object(
  { timestamp: Timestamp, status: MonitorStatus, responseTime: ms("The whole check."), state: ResultState },
  { title: "LocationItem" },
);

export const LocationsData = Type.Record(Type.String(), Type.Array(LocationEntry), {
  description: "Location code to its checks, newest first.",
});

/** One check of the history. */
export function projectHistoryItem(item: HistoryItem): Static<typeof HistoryEntry> {
  return {
    id: item.id,
    domainId: item.monitorId,
    ...projectLocationItem(item),
    statusCode: item.statusCode,
    location: item.location,
    reason: sentenceOf(item.reason),
    reasonCode: item.reason && classOf(item.reason),
    reasonFact: item.reason,
    message: sentenceOf(item.message),
    messageFact: item.message,
    phases: projectPhases(item),
  };
}

/** One check among those of its location. */
function projectLocationItem(item: StoredResult): Static<typeof LocationEntry> {
  return {
    timestamp: timestamp(item.scheduledAt),
    status: resultStatus(item.outcome),
    responseTime: milliseconds(item.totalUs),
    state: resultState(item.outcome),
  };
}

/** Every location's checks. */
export async function projectLocations(
  byLocation: ReadonlyMap<string, readonly StoredResult[]>,
): Promise<Static<typeof LocationsData>> {
  const lists: Static<typeof LocationsData> = {};
  for (const [code, items] of byLocation) lists[code] = await mapInTurns(items, projectLocationItem);
  return lists;
}
