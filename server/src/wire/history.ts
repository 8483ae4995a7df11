import { type Static, type TObject, Type } from "typebox";
import { resultState } from "../check/outcome.ts";
import { classOf } from "../check/reasons.ts";
import type { HistoryItem, StatusPeriod as Period } from "../monitor/monitor-history.ts";
import { RANGES } from "../result/range.ts";
import type { StoredResult } from "../result/stored-result.ts";
import { inEnglish } from "../texts/english.ts";
import { msg } from "../texts/message.ts";
import { mapInTurns } from "../turns.ts";
import { MessageSchema, sentenceOf } from "./fact.ts";
import {
  fromOutside,
  milliseconds,
  ms,
  nullable,
  oneOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from "./field.ts";
import {
  FullState,
  MonitorStatus,
  Phases,
  projectPhases,
  ResultState,
  resultStatus,
} from "./monitor-fields.ts";

export const RangeQuery = oneOf(RANGES, { default: "24h", description: "How far back from now." });

/** What the checks of any monitor are asked for by. */
const historyFields = {
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
};

/** GET /api/domains/{id}/monitoring/history. */
export const DomainHistoryQuery = Type.Object({ range: RangeQuery, ...historyFields });

/** GET /api/services/{id}/history: how many were made within a day says nothing of one that is checked once in it. */
export const ServiceHistoryQuery = Type.Object({
  range: Type.Optional(
    oneOf(RANGES, { description: "How far back from now. Default: as far as results are kept." }),
  ),
  ...historyFields,
});

/** GET /api/domains/{id}/monitoring/locations; of services likewise. */
export const LocationsQuery = Type.Object({
  range: RangeQuery,
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: "This many of the newest checks of each location.",
  }),
});

/** A check of any monitor. */
const checkFields = {
  status: MonitorStatus,
  state: ResultState,
  responseTime: ms("The whole check."),
  statusCode: nullable(Type.Integer(), "HTTP status code; null without an answer."),
  timestamp: Timestamp,
  location: Type.String({ description: "Code of the location it was made from.", examples: ["local"] }),
  reason: fromOutside(nullable(Type.String(), "Why it failed or was slow, as a sentence.")),
  reasonCode: nullable(Type.String(), "The kind of reason, e.g. `timeout`."),
  reasonFact: MessageSchema,
  message: fromOutside(
    nullable(Type.String(), "What a passed check of a service says, e.g. a version, as a sentence."),
  ),
  messageFact: MessageSchema,
  phases: Phases,
};

export const DomainHistoryEntry = Type.Object(
  {
    id: Type.Integer({ description: "Unique within the domain." }),
    domainId: Type.Integer(),
    ...checkFields,
  },
  { title: "HistoryItem" },
);

export const ServiceHistoryEntry = Type.Object(
  {
    id: Type.Integer({ description: "Unique within the service." }),
    serviceId: Type.Integer(),
    ...checkFields,
    message: fromOutside(
      Type.String({
        description: "What came of it, as a sentence: why it failed or was slow, or what it found.",
        examples: ["The check passed."],
      }),
    ),
  },
  { title: "ServiceHistoryItem" },
);

const LocationEntry = Type.Object(
  { timestamp: Timestamp, status: MonitorStatus, responseTime: ms("The whole check."), state: ResultState },
  { title: "LocationItem" },
);

export const LocationsData = Type.Record(Type.String(), Type.Array(LocationEntry), {
  description: "Location code to its checks, newest first.",
});

/** A check of a domain. */
export const projectDomainCheck = (item: HistoryItem): Static<typeof DomainHistoryEntry> => ({
  id: item.id,
  domainId: item.monitorId,
  ...projectCheck(item),
});

/** A check of a service. */
export function projectServiceCheck(item: HistoryItem): Static<typeof ServiceHistoryEntry> {
  const check = projectCheck(item);
  const uneventful =
    check.state === "unknown" ? "The location had no network." : inEnglish(msg("check.passed"));
  const message = check.reason ?? check.message ?? uneventful;
  return { id: item.id, serviceId: item.monitorId, ...check, message };
}

function projectCheck(item: HistoryItem): Static<TObject<typeof checkFields>> {
  return {
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

/** GET /api/domains/{id}/monitoring/status-history; of services likewise. */
export const StatusHistoryQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: "How many days back from now." }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 1000,
    description: "This many of the newest periods.",
  }),
});

export const StatusPeriod = Type.Object(
  {
    state: FullState,
    startedAt: Type.Unsafe<string>({
      ...Timestamp,
      description: "When it became so: of an outage, its first failure.",
    }),
    endedAt: nullable(Timestamp, "When the next period began; null while it goes on."),
    maintenance: Type.Boolean({ description: "Whether it lies in a maintenance window." }),
    reason: fromOutside(nullable(Type.String(), "Why, as a sentence.")),
    reasonFact: MessageSchema,
  },
  { title: "StatusPeriod" },
);

/** One period of a monitor's status. */
export const projectStatusPeriod = (period: Period): Static<typeof StatusPeriod> => ({
  state: period.state,
  startedAt: timestamp(period.startedAt),
  endedAt: timestampOrNull(period.endedAt),
  maintenance: period.maintenance,
  reason: sentenceOf(period.reason),
  reasonFact: period.reason,
});
