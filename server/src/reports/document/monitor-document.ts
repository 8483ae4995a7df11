import type { DeviceReportShape } from "../schemas/incidents-and-devices.ts";
import type { MonitorReportShape } from "../schemas/monitors.ts";
import { COLOURS, chartOf, uptimeFloor } from "./charts.ts";
import type { DocumentChart, DocumentMetric, DocumentTable, ReportDocument, Writing } from "./document.ts";
import { end, headOf, start, tableOf } from "./document.ts";

export type AnyMonitorReport =
  | ({ about: "domains" | "services" } & MonitorReportShape)
  | ({ about: "devices" } & DeviceReportShape);

export function monitorDocument(report: AnyMonitorReport, writing: Writing): ReportDocument {
  const { say } = writing;
  const charts = [uptimeChart(report, writing)];
  if (report.about !== "devices") charts.push(responseChart(report, writing));
  const budgets = report.about === "devices" ? [] : budgetsOf(report);
  return {
    ...headOf(report, say(`title.${report.about}`), writing),
    metrics: metricsOf(report, writing),
    charts,
    tables: [
      itemTable(report, writing),
      ...(budgets.length > 0 ? [budgetTable(budgets, writing)] : []),
      outageTable(report, writing),
    ],
    notes: [
      say("note.uptime"),
      ...(report.about === "devices" ? [] : [say("note.percentiles")]),
      ...(budgets.length > 0 ? [say("note.budgets")] : []),
    ],
  };
}

function metricsOf(report: AnyMonitorReport, writing: Writing): DocumentMetric[] {
  const { say, percent, seconds, count, milliseconds } = writing;
  const { total, previous } = report;
  const metric = (label: string, value: string, before: string) => ({
    ...{ label, value },
    before: say("before", { value: before }),
  });
  const metrics = [
    metric(say("uptime"), percent(total.uptimePercentage), percent(previous.uptimePercentage)),
    metric(say("down"), seconds(total.downSeconds), seconds(previous.downSeconds)),
    metric(say("outages"), count(total.outages), count(previous.outages)),
    metric(say("mttr"), seconds(total.mttrSeconds), seconds(previous.mttrSeconds)),
    metric(say("mtbf"), seconds(total.mtbfSeconds), seconds(previous.mtbfSeconds)),
    metric(say("longest"), seconds(total.longestOutageSeconds), seconds(previous.longestOutageSeconds)),
  ];
  if (report.about === "devices") return metrics;
  const { total: now, previous: then } = report;
  return [
    ...metrics,
    metric(say("mean"), milliseconds(now.avgResponseTime), milliseconds(then.avgResponseTime)),
    metric(say("p50"), milliseconds(now.responseTimeP50), milliseconds(then.responseTimeP50)),
    metric(say("p95"), milliseconds(now.responseTimeP95), milliseconds(then.responseTimeP95)),
    metric(say("p99"), milliseconds(now.responseTimeP99), milliseconds(then.responseTimeP99)),
    metric(say("checks"), count(now.totalChecks), count(then.totalChecks)),
    metric(say("failed"), count(now.failedChecks), count(then.failedChecks)),
  ];
}

function uptimeChart({ points, period }: AnyMonitorReport, writing: Writing): DocumentChart {
  const values = (points as { uptimePercentage: number | null }[]).map((point) => point.uptimePercentage);
  const title = writing.say("chart.uptime");
  return chartOf(
    {
      ...{ title, kind: "bars", points, period, top: 100, bottom: uptimeFloor(values) },
      series: [{ label: title, colour: COLOURS.up, values }],
      write: writing.percent,
    },
    writing,
  );
}

function responseChart({ points, period }: MonitorReportShape, writing: Writing): DocumentChart {
  const { say } = writing;
  return chartOf(
    {
      ...{ title: say("chart.response"), kind: "lines", points, period },
      series: [
        { label: say("p50"), colour: COLOURS.accent, values: points.map((point) => point.responseTimeP50) },
        { label: say("p95"), colour: COLOURS.warn, values: points.map((point) => point.responseTimeP95) },
      ],
      write: writing.milliseconds,
    },
    writing,
  );
}

function itemTable(report: AnyMonitorReport, writing: Writing): DocumentTable {
  const { say, percent, seconds, count, milliseconds } = writing;
  const columns = [
    ...[start(say("name"), 2.2), end(say("uptime"), 1.3), end(say("previous"), 0.95)],
    ...[end(say("down"), 1.4), end(say("outages"), 0.85)],
  ];
  const title = say(`table.${report.about}`);
  if (report.about === "devices") {
    const rows = report.items.map((item) => [
      ...[item.name, percent(item.uptimePercentage), percent(item.previous.uptimePercentage)],
      ...[seconds(item.downSeconds), count(item.outages)],
      ...[percent(item.cpuMean), percent(item.memoryMean), percent(item.diskMax)],
    ]);
    const usage = [say("cpu"), say("memory"), say("disk")].map((head) => end(head));
    return tableOf({ title, columns: [...columns, ...usage], rows }, writing);
  }
  const rows = report.items.map((item) => [
    ...[item.name, percent(item.uptimePercentage), percent(item.previous.uptimePercentage)],
    ...[seconds(item.downSeconds), count(item.outages)],
    ...[seconds(item.mttrSeconds), milliseconds(item.avgResponseTime), milliseconds(item.responseTimeP95)],
  ]);
  const times = [end("MTTR", 1.1), end(say("mean"), 1.15), end("p95")];
  return tableOf({ title, columns: [...columns, ...times], rows }, writing);
}

function outageTable({ outages }: AnyMonitorReport, writing: Writing): DocumentTable {
  const { say, moment, seconds } = writing;
  return tableOf(
    {
      title: say("table.outages"),
      columns: [start(say("name"), 2), start(say("began"), 1.4), start(say("ended"), 1.4), end(say("down"))],
      rows: outages.map(({ monitorName, startedAt, endedAt, durationSeconds }) => [
        ...[monitorName, moment(startedAt), endedAt ? moment(endedAt) : say("open")],
        seconds(durationSeconds),
      ]),
    },
    writing,
  );
}

type Item = MonitorReportShape["items"][number];
type Aimed = Item & { budget: NonNullable<Item["budget"]> };

/** The least left first. */
function budgetsOf({ items }: MonitorReportShape): Aimed[] {
  const left = ({ budget }: Aimed) => budget.leftPercentage ?? 100;
  return items.filter((item): item is Aimed => item.budget !== null).toSorted((a, b) => left(a) - left(b));
}

function budgetTable(monitors: readonly Aimed[], writing: Writing): DocumentTable {
  const { say, percent, seconds, share, count, times } = writing;
  const goal = ({ objective, objectiveDays }: Aimed) =>
    say("objectiveOf", { percent: share(objective), days: count(objectiveDays ?? 0) });
  const length = (value: number) => (value < 0 ? `-${seconds(-value)}` : seconds(value));
  return tableOf(
    {
      title: say("table.budgets"),
      columns: [
        ...[start(say("name"), 2.2), start(say("objective"), 1.4), end(say("allowed"), 1.2)],
        ...[end(say("left"), 1.2), end(say("leftShare"), 1.1), end(say("burnRate"))],
      ],
      rows: monitors.map((item) => [
        ...[item.name, goal(item), seconds(item.budget.allowedSeconds), length(item.budget.leftSeconds)],
        ...[percent(item.budget.leftPercentage), times(item.burnRate)],
      ]),
    },
    writing,
  );
}
