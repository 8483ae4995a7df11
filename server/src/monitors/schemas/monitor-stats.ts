import { type Static, type TObject, Type } from "typebox";
import { type MonitorKind, STATUSES } from "../../platform/monitor-defaults.ts";
import {
  capital,
  milliseconds,
  ms,
  nullable,
  oneOf,
  percent,
  percentage,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { isCertificateValid } from "../certificate-status.ts";
import type { MonitorLimits, MonitorSparkline } from "../list-monitors.ts";
import type { MonitorSummary } from "../monitor-detail.ts";
import type { MonitorDay, MonitorStats, PhasesPoint } from "../monitor-stats.ts";
import type { ListedMonitor } from "../queries/listed-monitors.ts";
import { RangeQuery } from "./history.ts";
import { Phases, projectPhases } from "./monitor-input.ts";
import { Protocol } from "./services.ts";

/** How all monitors of a kind are doing. */
export const statsOf = (kind: MonitorKind) =>
  Type.Object(
    {
      total: Type.Integer(),
      up: Type.Integer({ description: "Degraded ones included." }),
      down: Type.Integer(),
      unknown: Type.Integer({ description: "Paused ones included." }),
      degraded: Type.Integer({ description: "How many of `up` are degraded." }),
      paused: Type.Integer({ description: "How many are paused." }),
      maintenance: Type.Integer({ description: "How many are in maintenance, whatever their status." }),
      avgResponseTime: ms("Mean of all passed checks of the last 24 hours."),
      avgUptime: percent(`Mean of the ${kind}s' uptimes over the last 24 hours.`),
    },
    { title: `${capital(kind)}Stats` },
  );

/** GET /api/domains/{id}/monitoring/days; of services likewise. */
export const DaysQuery = Type.Object({
  days: Type.Integer({
    minimum: 1,
    maximum: 90,
    default: 90,
    description: "How many days back, today included.",
  }),
});

/** A day of a monitor of that kind. */
export const dayOf = (kind: MonitorKind) =>
  Type.Object(
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
    { title: `${capital(kind)}Day` },
  );

/** GET /api/domains/{id}/monitoring/phases; of services likewise. */
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

const named = { id: Type.Integer(), uuid: Uuid, name: Type.String() };

/** What any monitor comes down to. */
const summaryFields = {
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
};

export const DomainSummary = Type.Object(
  { domain: Type.Object({ ...named, url: Type.String() }), ...summaryFields },
  { title: "DomainSummary" },
);

export const ServiceSummary = Type.Object(
  { service: Type.Object({ ...named, protocol: Protocol, target: Type.String() }), ...summaryFields },
  { title: "ServiceSummary" },
);

/** An organization's statistics. */
export const projectStats = (stats: MonitorStats): Static<ReturnType<typeof statsOf>> => ({
  total: stats.total,
  up: stats.up,
  down: stats.down,
  unknown: stats.unknown,
  degraded: stats.degraded,
  paused: stats.paused,
  maintenance: stats.maintenance,
  avgResponseTime: milliseconds(stats.averageUs),
  avgUptime: percentage(stats.averageUptime),
});

/** One day of a monitor. */
export const projectDay = (day: MonitorDay): Static<ReturnType<typeof dayOf>> => ({
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

const nameOf = ({ id, uuid, name }: ListedMonitor) => ({ id, uuid, name });

/** What a domain comes down to. `now` in milliseconds. */
export const projectDomainSummary = (summary: MonitorSummary, now: number): Static<typeof DomainSummary> => ({
  domain: { ...nameOf(summary.monitor), url: summary.monitor.displayTarget },
  ...projectSummary(summary, now),
});

/** What a service comes down to. `now` in milliseconds. */
export const projectServiceSummary = (
  summary: MonitorSummary,
  now: number,
): Static<typeof ServiceSummary> => ({
  service: {
    ...nameOf(summary.monitor),
    protocol: summary.monitor.type,
    target: summary.monitor.displayTarget,
  },
  ...projectSummary(summary, now),
});

const projectSummary = (summary: MonitorSummary, now: number): Static<TObject<typeof summaryFields>> => ({
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

/** GET /api/domains/sparklines: as many as the largest page of v2 has. */
export const SparklinesQuery = Type.Object({
  ids: Type.Optional(
    Type.String({
      pattern: "^[0-9a-fA-F-]{1,36}(?:,[0-9a-fA-F-]{1,36}){0,99}$",
      description:
        "Integer ids or uuids, up to 100 of them, with commas in between; without it the list is empty.",
      examples: ["42,43,44"],
    }),
  ),
});

const Hour = Type.Object({
  timestamp: Timestamp,
  status: oneOf(STATUSES, {
    description:
      "The worst confirmed one in that hour, outside maintenance; `unknown` where nothing was known.",
  }),
  uptimePercentage: percent("Time-weighted over the hour."),
  responseTime: ms("Mean of the passed checks."),
});

export const Sparkline = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    uuid: Uuid,
    iconUrl: nullable(
      Type.String(),
      "Path on this server of the icon of a site; null until one was looked for, and where there is none.",
    ),
    iconDue: Type.Boolean({
      description:
        "True: it is worth looking for with `GET /api/domains/{id}/icon`, because that was not done yet, or not for long.",
    }),
    hours: Type.Array(Hour, {
      description: "The last 24 hours in UTC, oldest first; the last one ends now.",
    }),
  },
  { title: "Sparkline" },
);

/** What the row of a list draws of a monitor. */
export const projectSparkline = (sparkline: MonitorSparkline): Static<typeof Sparkline> => ({
  id: sparkline.id,
  uuid: sparkline.uuid,
  // The time in the address makes browsers request it again once a new icon was found.
  iconUrl: sparkline.icon?.found ? `/icons/${sparkline.icon.token}?v=${sparkline.icon.fetchedAt}` : null,
  iconDue: sparkline.iconDue,
  hours: sparkline.hours.map(({ at, status, uptime, averageUs }) => ({
    timestamp: timestamp(at),
    status,
    uptimePercentage: percentage(uptime),
    responseTime: milliseconds(averageUs),
  })),
});

/** GET /api/domains/limits; of services likewise. */
export const limitsOf = (kind: MonitorKind) =>
  Type.Object(
    {
      plan: Type.String({ description: "The organization's plan.", examples: ["expert"] }),
      monitors: nullable(
        Type.Integer({ examples: [100] }),
        "Domains and services that the plan allows; null: any number.",
      ),
      monitorsUsed: Type.Integer({ description: "How many of them there are.", examples: [12] }),
      minCheckInterval: Type.Integer({ description: "Smallest check interval, seconds.", examples: [10] }),
      locationsPerMonitor: nullable(
        Type.Integer({ examples: [3] }),
        `Locations that one ${kind} may be checked from; null: all.`,
      ),
      locations: Type.Array(
        Type.Object({
          code: Type.String({ description: `As in a ${kind}'s \`locations\`.`, examples: ["local"] }),
          name: Type.String({ examples: ["Local"] }),
        }),
        { description: "Where checks can be made from." },
      ),
    },
    { title: `${capital(kind)}Limits` },
  );

/** What an organization's monitors are measured against. */
export function projectLimits({
  plan,
  monitorsUsed,
  locations,
}: MonitorLimits): Static<ReturnType<typeof limitsOf>> {
  return {
    plan: plan.name,
    monitors: plan.monitors,
    monitorsUsed,
    minCheckInterval: plan.minIntervalSeconds,
    locationsPerMonitor: plan.locationsPerMonitor,
    locations: locations.map(({ code, name }) => ({ code, name })),
  };
}
