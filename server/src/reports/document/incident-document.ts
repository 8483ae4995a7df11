import { SEVERITIES } from "../../platform/monitor-defaults.ts";
import type { IncidentReportShape } from "../schemas/incidents-and-devices.ts";
import { COLOURS, chartOf } from "./charts.ts";
import {
  type DocumentChart,
  type DocumentMetric,
  type DocumentTable,
  headOf,
  type ReportDocument,
  tableOf,
  type Writing,
} from "./document.ts";

export function incidentDocument(report: IncidentReportShape, writing: Writing): ReportDocument {
  const { say } = writing;
  return {
    ...headOf(report, say("title.incidents"), writing),
    metrics: metricsOf(report, writing),
    charts: [incidentChart(report, writing)],
    tables: [affectedTable(report, writing), incidentTable(report, writing)],
    notes: [say("note.incidents")],
  };
}

function metricsOf({ total, previous }: IncidentReportShape, writing: Writing): DocumentMetric[] {
  const { say, count, seconds } = writing;
  const metric = (label: string, value: string, before: string) => ({
    ...{ label, value },
    before: say("before", { value: before }),
  });
  return [
    metric(say("incidents"), count(total.incidents), count(previous.incidents)),
    metric(say("stillOpen"), count(total.open), count(previous.open)),
    metric(say("acknowledged"), count(total.acknowledged), count(previous.acknowledged)),
    metric(say("mtta"), seconds(total.mttaSeconds), seconds(previous.mttaSeconds)),
    metric(say("resolve"), seconds(total.mttrSeconds), seconds(previous.mttrSeconds)),
    metric(say("longestIncident"), seconds(total.longestSeconds), seconds(previous.longestSeconds)),
  ];
}

const colours = {
  low: COLOURS.faint,
  medium: COLOURS.accent,
  high: COLOURS.warn,
  critical: COLOURS.down,
} as const;

function incidentChart({ points, period }: IncidentReportShape, writing: Writing): DocumentChart {
  const { say, count } = writing;
  return chartOf(
    {
      ...{ title: say("chart.incidents"), kind: "bars", points, period },
      series: SEVERITIES.map((severity) => ({
        label: say(`severity.${severity}`),
        colour: colours[severity],
        values: points.map(({ bySeverity }) => bySeverity[severity]),
      })),
      write: count,
    },
    writing,
  );
}

function affectedTable({ worst }: IncidentReportShape, writing: Writing): DocumentTable {
  const { say, count, seconds } = writing;
  return tableOf(
    {
      title: say("table.affected"),
      columns: [
        { head: say("name"), align: "start", share: 3 },
        { head: say("incidents"), align: "end", share: 1 },
        { head: say("duration"), align: "end", share: 1 },
      ],
      rows: worst.map(({ name, incidents, durationSeconds }) => [
        ...[name, count(incidents), seconds(durationSeconds)],
      ]),
    },
    writing,
  );
}

function incidentTable({ items }: IncidentReportShape, writing: Writing): DocumentTable {
  const { say, moment, seconds } = writing;
  return tableOf(
    {
      title: say("table.incidents"),
      columns: [
        { head: say("incident"), align: "start", share: 3 },
        { head: say("severity"), align: "start", share: 0.9 },
        { head: say("began"), align: "start", share: 1.5 },
        { head: say("duration"), align: "end", share: 1 },
      ],
      rows: items.map(({ title, titleFact, severity, startedAt, durationSeconds }) => [
        titleFact ? writing.render(titleFact) : title,
        ...[say(`severity.${severity}`), moment(startedAt), seconds(durationSeconds)],
      ]),
    },
    writing,
  );
}
