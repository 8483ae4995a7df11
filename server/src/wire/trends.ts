import { type Static, type TObject, Type } from "typebox";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ResponseTimeTrend, ResponseTimeTrends } from "../monitor/monitor-stats.ts";
import { capital, IdText, milliseconds, ms, Timestamp, timestamp, Uuid, type Word } from "./field.ts";
import { RangeQuery } from "./history.ts";

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

/** Each domain's response times; wire/trends.ts writes the same. */
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
