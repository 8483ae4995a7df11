import { type Static, type TSchema, Type } from "typebox";
import { burnOf } from "../../engine/status/objective.ts";
import { uptimeOf } from "../../engine/status/uptime.ts";
import { BudgetOrNull, projectBudget, projectRate } from "../../monitors/schemas/monitors.ts";
import { Protocol } from "../../monitors/schemas/services.ts";
import type { CheckedKind } from "../../platform/monitor-defaults.ts";
import {
  capital,
  milliseconds,
  ms,
  nullable,
  percent,
  percentage,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import type { MonitorReport, ReportedMonitor, ReportPoint } from "../queries/reports.ts";
import { averageOf, type ReportSummary, type Summary, summaryOf } from "../summary.ts";
import { reportHead } from "./query.ts";

const seconds = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} Seconds.`, examples: [2_592_000] });
const secondsOrNull = (description: string) =>
  nullable(Type.Integer({ minimum: 0 }), `${description} Seconds; null without an outage.`);

const availabilityFields = {
  uptimePercentage: percent("Time up of the time known."),
  knownSeconds: seconds(
    "How long the status was known, outside maintenance: downtime and uptime together, of all monitors.",
  ),
  downSeconds: seconds("Confirmed downtime outside maintenance."),
  outages: Type.Integer({
    minimum: 0,
    description: "Outages that began in this time, or went on in it.",
  }),
  mttrSeconds: secondsOrNull(
    "Mean time to repair: downtime an outage. One that goes on counts with its time so far.",
  ),
  mtbfSeconds: secondsOrNull("Mean time between failures: uptime an outage."),
  longestOutageSeconds: secondsOrNull("The longest outage."),
};

const checkFields = {
  totalChecks: Type.Integer({
    description: "Checks that reached a verdict, in the hours that the report begins and ends in as well.",
  }),
  failedChecks: Type.Integer({ description: "Those of them that failed." }),
  avgResponseTime: ms("Mean of the passed checks."),
  responseTimeP50: ms("Half of the passed checks took no longer; accurate to 2 %."),
  responseTimeP95: ms("95 % of them took no longer; accurate to 2 %."),
  responseTimeP99: ms("99 % of them took no longer; accurate to 2 %."),
};

export const ReportAvailability = Type.Object(availabilityFields, { title: "ReportAvailability" });

const ReportStats = Type.Object({ ...availabilityFields, ...checkFields }, { title: "ReportFigures" });
type ReportStats = Static<typeof ReportStats>;

const pointFields = {
  timestamp: {
    ...Timestamp,
    description: "Where it begins; the first point begins with the report, and the last ends with it.",
  },
  uptimePercentage: availabilityFields.uptimePercentage,
  downSeconds: availabilityFields.downSeconds,
};

export const AvailabilityPoint = Type.Object(pointFields, { title: "AvailabilityPoint" });

const PointOfReport = Type.Object({ ...pointFields, ...checkFields }, { title: "ReportPoint" });

const whole = (duration: number) => Math.round(duration / 1000);
const wholeOrNull = (duration: number | null) => (duration === null ? null : whole(duration));

const projectStats = (summary: Summary): ReportStats => ({
  ...projectAvailability(summary),
  ...projectChecks(summary, summary.averageUs),
});

/** Without checks. */
export const projectAvailability = (summary: Summary): Static<typeof ReportAvailability> => ({
  uptimePercentage: percentage(summary.uptime),
  knownSeconds: whole(summary.knownMs),
  downSeconds: whole(summary.downMs),
  outages: summary.outages,
  mttrSeconds: wholeOrNull(summary.mttrMs),
  mtbfSeconds: wholeOrNull(summary.mtbfMs),
  longestOutageSeconds: summary.outages === 0 ? null : whole(summary.longestOutageMs),
});

/** `from`: the report's start, milliseconds. */
const projectReportPoint = (point: ReportPoint, from: number): Static<typeof PointOfReport> => ({
  ...projectAvailabilityPoint(point, from),
  ...projectChecks(point, averageOf(point)),
});

/** Without checks. */
export const projectAvailabilityPoint = (
  point: ReportPoint,
  from: number,
): Static<typeof AvailabilityPoint> => ({
  timestamp: timestamp(Math.max(point.at, from)),
  uptimePercentage: percentage(uptimeOf(point)),
  downSeconds: whole(point.downMs),
});

const projectChecks = (
  stats: Pick<Summary, "checks" | "failures" | "p50Us" | "p95Us" | "p99Us">,
  averageUs: number | null,
) => ({
  totalChecks: stats.checks,
  failedChecks: stats.failures,
  avgResponseTime: milliseconds(averageUs),
  responseTimeP50: milliseconds(stats.p50Us),
  responseTimeP95: milliseconds(stats.p95Us),
  responseTimeP99: milliseconds(stats.p99Us),
});

const named = { id: Type.Integer(), uuid: Uuid, name: Type.String() };

const OWN = {
  domain: {
    shapes: { url: Type.String({ examples: ["https://shop.example/"] }) },
    project: ({ displayTarget }: ReportedMonitor) => ({ url: displayTarget }),
  },
  service: {
    shapes: { protocol: Protocol, target: Type.String({ examples: ["db.example:5432"] }) },
    project: ({ type, displayTarget }: ReportedMonitor) => ({ protocol: type, target: displayTarget }),
  },
} as const satisfies Record<CheckedKind, { shapes: Record<string, TSchema>; project: unknown }>;

export const ReportOutage = Type.Object(
  {
    monitorId: Type.Integer({ description: "Whose it was." }),
    monitorName: Type.String(),
    startedAt: { ...Timestamp, description: "The report's beginning where it had begun before." },
    endedAt: nullable(Timestamp, "Null: it went on when the report ended, as far as is known."),
    durationSeconds: Type.Integer({
      description: "How long it was down in this time, outside maintenance. Seconds.",
    }),
  },
  { title: "ReportOutage" },
);

export const ids = (description: string) => Type.Array(Type.Integer(), { description });

const objectiveFields = {
  objective: nullable(
    Type.Number({ examples: [99.9] }),
    "How much of the time it should be up, percent; null: it has no objective.",
  ),
  objectiveDays: nullable(Type.Integer({ examples: [30] }), "Of how many days that is."),
  budget: BudgetOrNull,
  burnRate: nullable(
    Type.Number({ minimum: 0, examples: [0.4] }),
    "How many times as fast as the budget lasts it was used in the time of the report: at 1 it is used up exactly when its days are over. Null without an objective.",
  ),
};

const itemOf = (kind: CheckedKind) =>
  Type.Object(
    {
      ...named,
      ...OWN[kind].shapes,
      ...ReportStats.properties,
      ...objectiveFields,
      previous: ReportStats,
    },
    { title: `${capital(kind)}ReportItem` },
  );

export const monitorReportOf = (kind: CheckedKind) =>
  Type.Object(
    {
      ...reportHead,
      monitors: Type.Integer({ minimum: 0, description: `How many ${kind}s there are.` }),
      // Weighted by the time in which each monitor's status was known.
      total: ReportStats,
      previous: ReportStats,
      points: Type.Array(PointOfReport, { description: "All together, oldest first: for a chart." }),
      worst: Type.Object({
        uptime: ids(`Ids of the ${kind}s with the least uptime of those that were down, up to five.`),
        responseTime: ids(`Ids of the ${kind}s with the highest \`responseTimeP95\`, up to five.`),
      }),
      outages: Type.Array(ReportOutage, { description: "The 100 longest outages, the longest first." }),
      items: Type.Array(itemOf(kind), { description: `Every ${kind}, the least uptime first.` }),
    },
    { title: `${capital(kind)}Report` },
  );

export type MonitorReportShape = Static<ReturnType<typeof monitorReportOf>>;

export interface MadeReport {
  organization: { id: number; name: string };
  /** Milliseconds. */
  generatedAt: number;
  report: MonitorReport;
  summary: ReportSummary;
}

export function projectMonitorReport(kind: CheckedKind, made: MadeReport): MonitorReportShape {
  const { report, summary } = made;
  return {
    ...projectHead(made),
    monitors: report.monitors.length,
    total: projectStats(summary.total),
    previous: projectStats(summary.previous),
    points: report.points.map((point) => projectReportPoint(point, report.from)),
    worst: {
      uptime: summary.leastUptime.map(({ id }) => id),
      responseTime: summary.slowest.map(({ id }) => id),
    },
    outages: projectOutages(report),
    items: byUptime(report.monitors.map((monitor) => projectItem(kind, monitor, report))),
  };
}

export function projectOutages({ monitors, outages }: MonitorReport): Static<typeof ReportOutage>[] {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return outages.map(({ monitorId, startedAt, endedAt, downMs }) => ({
    monitorId,
    monitorName: names.get(monitorId) ?? "",
    startedAt: timestamp(startedAt),
    endedAt: timestampOrNull(endedAt),
    durationSeconds: Math.round(downMs / 1000),
  }));
}

export const projectHead = ({ organization, generatedAt, report }: Omit<MadeReport, "summary">) => ({
  organization: { id: organization.id, name: organization.name },
  generatedAt: timestamp(generatedAt),
  period: {
    from: timestamp(report.from),
    to: timestamp(report.to),
    previousFrom: timestamp(report.previousFrom),
    stepSeconds: report.stepMs / 1000,
  },
});

function projectItem(
  kind: CheckedKind,
  monitor: ReportedMonitor,
  { from, to }: Pick<MonitorReport, "from" | "to">,
): MonitorReportShape["items"][number] {
  const { id, uuid, name, stats, previous, objective, budget } = monitor;
  return {
    ...{ id, uuid, name },
    ...(OWN[kind].project(monitor) as { url: string }),
    ...projectStats(summaryOf(stats)),
    objective: objective?.percent ?? null,
    objectiveDays: objective?.days ?? null,
    budget: budget && projectBudget(budget),
    burnRate: objective && projectRate(burnOf(stats.downMs, objective, to - from)),
    previous: projectStats(summaryOf(previous)),
  };
}

/** The least first; unknown ones last. */
export function byUptime<Item extends { name: string; uptimePercentage: number | null; downSeconds: number }>(
  items: Item[],
): Item[] {
  const rank = ({ uptimePercentage }: Item) => uptimePercentage ?? 101;
  return items.sort(
    (a, b) => rank(a) - rank(b) || b.downSeconds - a.downSeconds || a.name.localeCompare(b.name, "en"),
  );
}
