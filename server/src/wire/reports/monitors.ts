import { type Static, type TSchema, Type } from "typebox";
import type { CheckedKind } from "../../monitor/monitor-defaults.ts";
import { type ReportSummary, summaryOf } from "../../report/summary.ts";
import { burnOf } from "../../status/error-budget.ts";
import type { MonitorReport, ReportedMonitor } from "../../store/queries/monitor-report.ts";
import { nullable, Timestamp, timestamp, timestampOrNull, Uuid } from "../field.ts";
import { BudgetOrNull, projectBudget, projectRate } from "../objectives.ts";
import { Protocol } from "../service-input.ts";
import { capital } from "../word.ts";
import { PointOfReport, projectFigures, projectReportPoint, ReportFigures } from "./figures.ts";
import { reportHead } from "./query.ts";

const named = { id: Type.Integer(), uuid: Uuid, name: Type.String() };

/** What each kind has of its own. */
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

/** A monitor of that kind in a report. */
const itemOf = (kind: CheckedKind) =>
  Type.Object(
    {
      ...named,
      ...OWN[kind].shapes,
      ...ReportFigures.properties,
      ...objectiveFields,
      previous: ReportFigures,
    },
    { title: `${capital(kind)}ReportItem` },
  );

/** What the monitors of a kind did. */
export const monitorReportOf = (kind: CheckedKind) =>
  Type.Object(
    {
      ...reportHead,
      monitors: Type.Integer({ minimum: 0, description: `How many ${kind}s there are.` }),
      // All together, each for as long as its status was known; and the same of the time that it is compared with.
      total: ReportFigures,
      previous: ReportFigures,
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

/** A report and what it comes to. */
export interface MadeReport {
  organization: { id: number; name: string };
  /** Milliseconds. */
  generatedAt: number;
  report: MonitorReport;
  summary: ReportSummary;
}

/** What the monitors of that kind did, in the words of the API. */
export function projectMonitorReport(kind: CheckedKind, made: MadeReport): MonitorReportShape {
  const { report, summary } = made;
  return {
    ...projectHead(made),
    monitors: report.monitors.length,
    total: projectFigures(summary.total),
    previous: projectFigures(summary.previous),
    points: report.points.map((point) => projectReportPoint(point, report.from)),
    worst: {
      uptime: summary.leastUptime.map(({ id }) => id),
      responseTime: summary.slowest.map(({ id }) => id),
    },
    outages: projectOutages(report),
    items: byUptime(report.monitors.map((monitor) => projectItem(kind, monitor, report))),
  };
}

/** The longest outages, each with the name of what was down. */
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

/** Whose report it is, and of when. */
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
  const { id, uuid, name, figures, previous, objective, budget } = monitor;
  return {
    ...{ id, uuid, name },
    ...(OWN[kind].project(monitor) as { url: string }),
    ...projectFigures(summaryOf(figures)),
    objective: objective?.percent ?? null,
    objectiveDays: objective?.days ?? null,
    budget: budget && projectBudget(budget),
    burnRate: objective && projectRate(burnOf(figures.downMs, objective, to - from)),
    previous: projectFigures(summaryOf(previous)),
  };
}

/** The least first; those of which nothing is known last. */
export function byUptime<Item extends { name: string; uptimePercentage: number | null; downSeconds: number }>(
  items: Item[],
): Item[] {
  const rank = ({ uptimePercentage }: Item) => uptimePercentage ?? 101;
  return items.sort(
    (a, b) => rank(a) - rank(b) || b.downSeconds - a.downSeconds || a.name.localeCompare(b.name, "en"),
  );
}
