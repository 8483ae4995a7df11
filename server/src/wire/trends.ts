import { type Static, type TObject, Type } from "typebox";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ResponseTimeTrend, ResponseTimeTrends } from "../monitor/response-time-trends.ts";
import { milliseconds, ms, Timestamp, timestamp, Uuid } from "./field.ts";
import { RangeQuery } from "./history.ts";
import { IdText } from "./id.ts";
import { capital } from "./word.ts";

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

/** Each domain's response times; wire/trend-json.ts writes the same. */
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
