import { type Static, type TObject, Type } from "typebox";
import { resultState } from "../../checks/outcome.ts";
import { classOf } from "../../checks/reasons.ts";
import { RANGES } from "../../engine/results/precision.ts";
import type { StoredResult } from "../../engine/results/stored-result.ts";
import { MonitorStatus } from "../../engine/schemas/live.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import { msg } from "../../platform/i18n/message.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import {
  capital,
  fromOutside,
  IdText,
  MessageSchema,
  milliseconds,
  ms,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
  type Word,
} from "../../platform/operations/field.ts";
import { mapInTurns } from "../../platform/turns.ts";
import type { HistoryItem, StatusPeriod as Period } from "../monitor-history.ts";
import type { ResponseTimeTrend, ResponseTimeTrends } from "../monitor-stats.ts";
import { FullState, Phases, projectPhases, ResultState, resultStatus } from "./monitor-input.ts";

export const RangeQuery = oneOf(RANGES, { default: "24h", description: "How far back from now." });

/** The parameters of requests for the checks of any monitor. */
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
    oneOf(RANGES, { description: "How far back from now. Default: as far as results are retained." }),
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

/** Narrows the trends to one monitor. */
const filterOf = (kind: MonitorKind) =>
  Type.Optional({ ...IdText, description: `Only this ${kind}: integer id or uuid.` });

const queryFields = (kind: MonitorKind) => ({
  range: RangeQuery,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Page, from 1." })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: `${capital(kind)}s a page. Without page and limit: the newest 1,000 ${kind}s and no \`pagination\`.`,
    }),
  ),
});

/** GET /api/domains/response-time-trends. */
export const DomainTrendsQuery = Type.Object({ domain: filterOf("domain"), ...queryFields("domain") });

/** GET /api/services/response-time-trends. */
export const ServiceTrendsQuery = Type.Object({ service: filterOf("service"), ...queryFields("service") });

/** The response times of any monitor. */
const trendFields = {
  avgResponseTime: ms("Mean of the passed checks."),
  minResponseTime: ms("Fastest passed check."),
  maxResponseTime: ms("Slowest passed check."),
  dataPoints: Type.Array(
    Type.Object({
      timestamp: Timestamp,
      responseTime: Type.Number({ description: "Mean of the passed checks, milliseconds." }),
    }),
    { description: "5 minutes each for 1h and 24h, an hour for 7d and 30d; none where no check passed." },
  ),
};

export const DomainTrend = Type.Object(
  { domainId: Type.Integer(), domainUuid: Uuid, domainName: Type.String(), ...trendFields },
  { title: "ResponseTimeTrend" },
);

export const ServiceTrend = Type.Object(
  { serviceId: Type.Integer(), serviceUuid: Uuid, serviceName: Type.String(), ...trendFields },
  { title: "ServiceResponseTimeTrend" },
);

/** Each domain's response times; monitors/schemas/history.ts writes the same. */
export const projectDomainTrends = ({
  bucketsAt,
  trends,
}: ResponseTimeTrends): Static<typeof DomainTrend>[] =>
  trends.map((trend) => ({
    domainId: trend.id,
    domainUuid: trend.uuid,
    domainName: trend.name,
    ...projectTrend(trend, bucketsAt),
  }));

/** Each service's. */
export const projectServiceTrends = ({
  bucketsAt,
  trends,
}: ResponseTimeTrends): Static<typeof ServiceTrend>[] =>
  trends.map((trend) => ({
    serviceId: trend.id,
    serviceUuid: trend.uuid,
    serviceName: trend.name,
    ...projectTrend(trend, bucketsAt),
  }));

const projectTrend = (
  trend: ResponseTimeTrend,
  bucketsAt: readonly number[],
): Static<TObject<typeof trendFields>> => ({
  avgResponseTime: milliseconds(trend.averageUs),
  minResponseTime: milliseconds(trend.minUs),
  maxResponseTime: milliseconds(trend.maxUs),
  dataPoints: bucketsAt.flatMap((at, i) => {
    const averageUs = trend.averagesUs[i] as number;
    if (Number.isNaN(averageUs)) return [];
    return [{ timestamp: timestamp(at), responseTime: milliseconds(averageUs) as number }];
  }),
});

/** Digits of a whole number, a point and a decimal. */
const MAX_NUMBER_LENGTH = 16 + 2;
const ZERO = 0x30;
const POINT = 0x2e;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/**
 * The trends of a kind's monitors as JSON between two texts, as their schema (in a family's words) says: written by hand,
 * byte by byte, because there are up to 32,000 points, and objects or texts of them would be made only to be
 * thrown away. A test compares every answer with the schema's own way.
 */
export function writeTrends(
  kind: MonitorKind,
  { bucketsAt, trends }: ResponseTimeTrends,
  word: Word,
  { first, last }: { first: string; last: string },
): Buffer {
  const [time, figure] = [word("timestamp"), word("responseTime")];
  const opened = bucketsAt.map((at) => Buffer.from(`,{"${time}":"${timestamp(at)}","${figure}":`));
  const heads = trends.map((trend) => writeHead(kind, trend, word));
  const longestPoint = opened.reduce((most, { length }) => Math.max(most, length), 0) + MAX_NUMBER_LENGTH + 1;
  const longestTrends = heads.map((head) => Buffer.byteLength(head) + opened.length * longestPoint + 3);
  const longest = longestTrends.reduce((sum, length) => sum + length, 2);
  const json = Buffer.allocUnsafe(Buffer.byteLength(first) + longest + Buffer.byteLength(last));
  const start = json.write(first);
  let end = start;
  for (const [i, { averagesUs }] of trends.entries()) {
    end += json.write(heads[i] as string, end);
    end = writePoints(json, end, averagesUs, opened);
    json[end++] = CLOSE_OBJECT;
  }
  end = writeBrackets(json, start, end);
  end += json.write(last, end);
  return json.subarray(0, end);
}

/** All of a trend before its points. */
function writeHead(kind: MonitorKind, trend: ResponseTimeTrend, word: Word): string {
  const head = JSON.stringify({
    [word(`${kind}Id`)]: trend.id,
    [word(`${kind}Uuid`)]: trend.uuid,
    [word(`${kind}Name`)]: trend.name,
    [word("avgResponseTime")]: milliseconds(trend.averageUs),
    [word("minResponseTime")]: milliseconds(trend.minUs),
    [word("maxResponseTime")]: milliseconds(trend.maxUs),
  });
  return `,${head.slice(0, -1)},"${word("dataPoints")}":`;
}

/** Writes the list of points from `start`; gives where it ends. */
function writePoints(json: Buffer, start: number, averagesUs: Float64Array, opened: Buffer[]): number {
  let end = start;
  for (let i = 0; i < averagesUs.length; i += 1) {
    const averageUs = averagesUs[i] as number;
    if (Number.isNaN(averageUs)) continue;
    const open = opened[i] as Buffer;
    json.set(open, end);
    end = writeMilliseconds(json, end + open.length, averageUs);
    json[end++] = CLOSE_OBJECT;
  }
  return writeBrackets(json, start, end);
}

/** Around the items of a list, each with a comma before it: the first one's is written over. */
function writeBrackets(json: Buffer, start: number, end: number): number {
  const close = Math.max(end, start + 1);
  json[start] = OPEN_LIST;
  json[close] = CLOSE_LIST;
  return close + 1;
}

/** Writes what `milliseconds` gives; gives where it ends. */
function writeMilliseconds(json: Buffer, start: number, us: number): number {
  const tenths = Math.round(us / 100);
  const decimal = tenths % 10;
  let whole = (tenths - decimal) / 10;
  let end = start + 1;
  for (let power = 10; power <= whole; power *= 10) end += 1;
  for (let at = end - 1; at >= start; at -= 1) {
    json[at] = ZERO + (whole % 10);
    whole = Math.floor(whole / 10);
  }
  if (decimal === 0) return end;
  json[end] = POINT;
  json[end + 1] = ZERO + decimal;
  return end + 2;
}
