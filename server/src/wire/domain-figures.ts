import { type Static, Type } from "typebox";
import { isCertificateValid } from "../monitor/certificate-status.ts";
import type { MonitorDay } from "../monitor/monitor-days.ts";
import type { PhasesPoint } from "../monitor/monitor-phases.ts";
import type { MonitorStats } from "../monitor/monitor-stats.ts";
import type { MonitorSummary } from "../monitor/monitor-summary.ts";
import type { ResponseTimeTrends } from "../monitor/response-time-trends.ts";
import { RangeQuery } from "./domain-history.ts";
import {
  milliseconds,
  ms,
  nullable,
  percent,
  percentage,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "./field.ts";
import { IdText } from "./id.ts";
import { Phases, projectPhases } from "./monitor-fields.ts";

export const Stats = Type.Object(
  {
    total: Type.Integer(),
    up: Type.Integer({ description: "Degraded ones included." }),
    down: Type.Integer(),
    unknown: Type.Integer({ description: "Paused ones included." }),
    degraded: Type.Integer({ description: "How many of `up` are degraded." }),
    paused: Type.Integer({ description: "How many are paused." }),
    avgResponseTime: ms("Mean of all passed checks of the last 24 hours."),
    avgUptime: percent("Mean of the domains' uptimes over the last 24 hours."),
  },
  { title: "DomainStats" },
);

/** Narrows the trends to one domain. */
const DomainFilter = Type.Optional({
  ...IdText,
  description: "Only this domain: integer id or uuid.",
});

/** GET /api/domains/response-time-trends. */
export const TrendsQuery = Type.Object({
  domain: DomainFilter,
  range: RangeQuery,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Page, from 1." })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "Domains a page. Without page and limit: the newest 1,000 domains and no `pagination`.",
    }),
  ),
});

export const Trend = Type.Object(
  {
    domainId: Type.Integer(),
    domainUuid: Uuid,
    domainName: Type.String(),
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
  },
  { title: "ResponseTimeTrend" },
);

/** GET /api/domains/{id}/monitoring/days. */
export const DaysQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 90,
    default: 90,
    description: "How many days back, today included.",
  }),
});

export const Day = Type.Object(
  {
    date: Type.String({
      format: "date",
      description: "The day in UTC; today ends now.",
      examples: ["2026-11-21"],
    }),
    uptimePercentage: percent("Time-weighted over the day."),
    downSeconds: Type.Integer({ description: "Confirmed downtime outside maintenance, whole seconds." }),
    totalChecks: Type.Integer({ description: "Checks that reached a verdict." }),
    failedChecks: Type.Integer({ description: "Those of them that failed." }),
    avgResponseTime: ms("Mean of the passed checks."),
  },
  { title: "DomainDay" },
);

/** GET /api/domains/{id}/monitoring/phases. */
export const PhasesQuery = Type.Object({
  range: RangeQuery,
  percentiles: Type.Boolean({
    default: false,
    description: "Whether `p95` and `p99` are wanted: they cost more to read than everything else.",
  }),
});

export const PhasesEntry = Type.Object(
  {
    timestamp: Timestamp,
    totalChecks: Type.Integer({ description: "Checks that reached a verdict." }),
    failedChecks: Type.Integer({ description: "Those of them that failed." }),
    phases: Phases,
    p95: ms("What 95 % of the passed checks stayed below; only with `percentiles=true`."),
    p99: ms("What 99 % of the passed checks stayed below; only with `percentiles=true`."),
  },
  {
    title: "PhasesPoint",
    description:
      "5 minutes each for 1h and 24h, an hour for 7d and 30d; none where nothing was checked. Phases are means of the passed checks; beyond the days for which the plan keeps results only the total is left.",
  },
);

const seconds = (span: string) =>
  Type.Integer({
    minimum: 0,
    description: `${span}, how long the status was known outside maintenance: what the uptime is of. Seconds.`,
  });

export const Summary = Type.Object(
  {
    domain: Type.Object({ id: Type.Integer(), uuid: Uuid, name: Type.String(), url: Type.String() }),
    stats: Type.Object({
      uptime24h: percent("Time-weighted over the last 24 hours."),
      uptime7d: percent("Time-weighted over the last 7 days."),
      uptime30d: percent("Time-weighted over the last 30 days."),
      knownSeconds24h: seconds("Of the last 24 hours"),
      knownSeconds7d: seconds("Of the last 7 days"),
      knownSeconds30d: seconds("Of the last 30 days"),
      avgResponseTime: ms("Mean of the passed checks of the last 30 days."),
      totalChecks: Type.Integer({ description: "Checks of the last 30 days that reached a verdict." }),
      failedChecks: Type.Integer({ description: "Those of them that failed." }),
    }),
    certificate: Type.Object({
      valid: nullable(Type.Boolean(), "Null: no certificate seen, as with http."),
      expiresAt: nullable(Timestamp),
    }),
  },
  { title: "DomainSummary" },
);

/** An organization's figures. */
export const projectStats = (stats: MonitorStats): Static<typeof Stats> => ({
  total: stats.total,
  up: stats.up,
  down: stats.down,
  unknown: stats.unknown,
  degraded: stats.degraded,
  paused: stats.paused,
  avgResponseTime: milliseconds(stats.averageUs),
  avgUptime: percentage(stats.averageUptime),
});

/** Each domain's response times; wire/trend-json.ts writes the same. */
export const projectTrends = ({ bucketsAt, trends }: ResponseTimeTrends): Static<typeof Trend>[] =>
  trends.map((trend) => ({
    domainId: trend.id,
    domainUuid: trend.uuid,
    domainName: trend.name,
    avgResponseTime: milliseconds(trend.averageUs),
    minResponseTime: milliseconds(trend.minUs),
    maxResponseTime: milliseconds(trend.maxUs),
    dataPoints: bucketsAt.flatMap((at, i) => {
      const averageUs = trend.averagesUs[i] as number;
      if (Number.isNaN(averageUs)) return [];
      return [{ timestamp: timestamp(at), responseTime: milliseconds(averageUs) as number }];
    }),
  }));

/** One day of a domain. */
export const projectDay = (day: MonitorDay): Static<typeof Day> => ({
  date: timestamp(day.at).slice(0, 10),
  uptimePercentage: percentage(day.uptime),
  downSeconds: Math.floor(day.downMs / 1000),
  totalChecks: day.checks,
  failedChecks: day.failures,
  avgResponseTime: milliseconds(day.averageUs),
});

/** One point of what the response time was made of. */
export const projectPhasesPoint = (point: PhasesPoint): Static<typeof PhasesEntry> => ({
  timestamp: timestamp(point.at),
  totalChecks: point.checks,
  failedChecks: point.failures,
  phases: projectPhases(point),
  p95: milliseconds(point.p95Us),
  p99: milliseconds(point.p99Us),
});

/** What one domain comes down to. `now` in milliseconds. */
export const projectSummary = (summary: MonitorSummary, now: number): Static<typeof Summary> => ({
  domain: {
    id: summary.monitor.id,
    uuid: summary.monitor.uuid,
    name: summary.monitor.name,
    url: summary.monitor.displayTarget,
  },
  stats: {
    uptime24h: percentage(summary.uptime24h),
    uptime7d: percentage(summary.uptime7d),
    uptime30d: percentage(summary.uptime30d),
    knownSeconds24h: Math.floor(summary.known24hMs / 1000),
    knownSeconds7d: Math.floor(summary.known7dMs / 1000),
    knownSeconds30d: Math.floor(summary.known30dMs / 1000),
    avgResponseTime: milliseconds(summary.averageUs),
    totalChecks: summary.totalChecks,
    failedChecks: summary.failedChecks,
  },
  certificate: {
    valid: isCertificateValid(summary.monitor.certificate, now),
    expiresAt: timestampOrNull(summary.monitor.certificate?.expiresAt ?? null),
  },
});
