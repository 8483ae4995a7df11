import { type Static, Type } from "typebox";
import { titleMessage } from "../../incidents/title-rules.ts";
import type { DeviceUsage } from "../../monitors/devices/metrics/usage.ts";
import { inEnglish } from "../../platform/i18n/english.ts";
import {
  IMPACTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  SEVERITIES,
  type Severity,
} from "../../platform/monitor-defaults.ts";
import {
  MessageSchema,
  nullable,
  oneOf,
  percent,
  percentage,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import {
  type AffectedMost,
  affectedMost,
  type IncidentSummary,
  lengthOf,
  summarizeIncidents,
} from "../incident-summary.ts";
import type { ReportedIncident, ReportedMonitor } from "../queries/reports.ts";
import { planReport, type ReportWindow } from "../report-points.ts";
import { summaryOf } from "../summary.ts";
import {
  AvailabilityPoint,
  byUptime,
  ids,
  type MadeReport,
  projectAvailability,
  projectAvailabilityPoint,
  projectHead,
  projectOutages,
  ReportAvailability,
  ReportOutage,
} from "./monitors.ts";
import { reportHead } from "./query.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = (description: string) =>
  nullable(Type.Integer({ minimum: 0 }), `${description} Seconds; null without any.`);

const BySeverity = Type.Object(
  Object.fromEntries(SEVERITIES.map((severity) => [severity, count(`Of severity ${severity}.`)])) as Record<
    Severity,
    ReturnType<typeof Type.Integer>
  >,
  { title: "IncidentsBySeverity" },
);

const IncidentStats = Type.Object(
  {
    incidents: count("Incidents that began in this time, without those that were merged into others."),
    automatic: count("Of these, how many an outage opened; people reported the others."),
    open: count("Of these, how many are not resolved yet."),
    resolved: count("Of these, how many are."),
    acknowledged: count("How many of these are acknowledged."),
    bySeverity: BySeverity,
    mttaSeconds: seconds("Mean time to acknowledge, from the first failure."),
    mttrSeconds: seconds("Mean time to resolve, from the first failure."),
    longestSeconds: seconds("The longest, so far."),
  },
  { title: "IncidentReportFigures" },
);

const Point = Type.Object(
  {
    timestamp: { ...Timestamp, description: "Where it begins; the first point begins with the report." },
    incidents: count("Incidents that began in it."),
    bySeverity: BySeverity,
  },
  { title: "IncidentReportPoint" },
);

const Affected = Type.Object(
  {
    monitorId: nullable(Type.Integer(), "Null where only the name is known."),
    name: Type.String(),
    incidents: count("How many affected it."),
    durationSeconds: count("How long they lasted together. Seconds."),
  },
  { title: "AffectedMost" },
);

const Item = Type.Object(
  {
    id: Type.Integer(),
    uuid: Uuid,
    title: Type.String({ examples: ["Shop was down"] }),
    titleFact: MessageSchema,
    severity: oneOf(SEVERITIES),
    impact: oneOf(IMPACTS),
    status: oneOf(INCIDENT_STATUSES),
    automatic: Type.Boolean({ description: "An outage opened it." }),
    startedAt: { ...Timestamp, description: "The first failure." },
    acknowledgedAt: nullable(Timestamp, "Null: it is not acknowledged."),
    resolvedAt: nullable(Timestamp, "Null while it goes on."),
    durationSeconds: count("How long it lasted, or has lasted. Seconds."),
    affected: Type.Array(Type.String(), { description: "Names, as they were at the time." }),
  },
  { title: "IncidentReportItem" },
);

export const IncidentReport = Type.Object(
  {
    ...reportHead,
    total: IncidentStats,
    previous: IncidentStats,
    points: Type.Array(Point, { description: "Oldest first: for a chart." }),
    worst: Type.Array(Affected, { description: "What the most of them affected, up to five." }),
    items: Type.Array(Item, { description: "Newest first." }),
  },
  { title: "IncidentReport" },
);
export type IncidentReportShape = Static<typeof IncidentReport>;

/** `now` in milliseconds. */
interface MadeIncidentReport {
  organization: { id: number; name: string };
  window: ReportWindow;
  now: number;
  incidents: ReportedIncident[];
  previous: ReportedIncident[];
}

export function projectIncidentReport(made: MadeIncidentReport): IncidentReportShape {
  const { organization, window, now, incidents, previous } = made;
  const { stepMs, points } = planReport(window);
  return {
    organization: { id: organization.id, name: organization.name },
    generatedAt: timestamp(now),
    period: {
      from: timestamp(window.from),
      to: timestamp(window.to),
      previousFrom: timestamp(window.from - (window.to - window.from)),
      stepSeconds: stepMs / 1000,
    },
    total: projectSummary(summarizeIncidents(incidents, now)),
    previous: projectSummary(summarizeIncidents(previous, now)),
    points: projectPoints(incidents, { from: window.from, stepMs, points, now }),
    worst: affectedMost(incidents, now).map(projectAffected),
    items: incidents.map((incident) => projectItem(incident, now)),
  };
}

const whole = (ms: number) => Math.round(ms / 1000);
const wholeOrNull = (ms: number | null) => (ms === null ? null : whole(ms));

const projectSummary = ({ mttaMs, mttrMs, longestMs, ...counts }: IncidentSummary) => ({
  ...counts,
  mttaSeconds: wholeOrNull(mttaMs),
  mttrSeconds: wholeOrNull(mttrMs),
  longestSeconds: wholeOrNull(longestMs),
});

const projectAffected = ({ durationMs, ...rest }: AffectedMost) => ({
  ...rest,
  durationSeconds: whole(durationMs),
});

function projectPoints(
  incidents: readonly ReportedIncident[],
  { from, stepMs, points, now }: { from: number; stepMs: number; points: readonly number[]; now: number },
) {
  const begun = Map.groupBy(incidents, ({ startedAt }) => startedAt - (startedAt % stepMs));
  return points.map((at) => {
    const { incidents: all, bySeverity } = summarizeIncidents(begun.get(at) ?? [], now);
    return { timestamp: timestamp(Math.max(at, from)), incidents: all, bySeverity };
  });
}

function projectItem(incident: ReportedIncident, now: number): IncidentReportShape["items"][number] {
  const isOver = incident.resolvedAt !== null;
  const said = titleMessage(incident, { isOver });
  return {
    ...{ id: incident.id, uuid: incident.uuid },
    title: isOver && said ? inEnglish(said) : incident.title,
    titleFact: said,
    ...{ severity: incident.severity, impact: incident.impact, status: incident.status as IncidentStatus },
    automatic: incident.automatic,
    startedAt: timestamp(incident.startedAt),
    acknowledgedAt: timestampOrNull(incident.acknowledgedAt),
    resolvedAt: timestampOrNull(incident.resolvedAt),
    durationSeconds: whole(lengthOf(incident, now)),
    affected: incident.affected.map(({ name }) => name),
  };
}

const usageFields = {
  cpuMean: percent("How busy its processor was, in the full hours of this time."),
  cpuMax: percent("The highest that was reported."),
  memoryMean: percent("How full its memory was."),
  memoryMax: percent("The highest that was reported."),
  diskMax: percent("The highest of its fullest disk."),
};

const DeviceItem = Type.Object(
  {
    id: Type.Integer(),
    uuid: Uuid,
    name: Type.String({ examples: ["db-1"] }),
    ...ReportAvailability.properties,
    ...usageFields,
    previous: ReportAvailability,
  },
  { title: "DeviceReportItem" },
);

/** Up is online, down is offline. */
export const DeviceReport = Type.Object(
  {
    ...reportHead,
    monitors: Type.Integer({ minimum: 0, description: "How many devices there are." }),
    total: ReportAvailability,
    previous: ReportAvailability,
    points: Type.Array(AvailabilityPoint, { description: "All together, oldest first: for a chart." }),
    worst: Type.Object(
      { uptime: ids("Ids of the devices with the least uptime of those that were offline, up to five.") },
      { title: "DeviceReportWorst" },
    ),
    outages: Type.Array(ReportOutage, { description: "The 100 longest outages, the longest first." }),
    usageKnown: Type.Boolean({
      description: "False: too many devices and days to read what they measured; the percentages are null.",
    }),
    items: Type.Array(DeviceItem, { description: "Every device, the least uptime first." }),
  },
  { title: "DeviceReport" },
);
export type DeviceReportShape = Static<typeof DeviceReport>;

/** `usageOf`: null where it was not read. */
export function projectDeviceReport(
  made: MadeReport,
  usageOf: ((id: number) => DeviceUsage) | null,
  none: DeviceUsage,
): DeviceReportShape {
  const { report, summary } = made;
  const project = (monitor: ReportedMonitor) => projectDeviceItem(monitor, usageOf?.(monitor.id) ?? none);
  return {
    ...projectHead(made),
    monitors: report.monitors.length,
    total: projectAvailability(summary.total),
    previous: projectAvailability(summary.previous),
    points: report.points.map((point) => projectAvailabilityPoint(point, report.from)),
    worst: { uptime: summary.leastUptime.map(({ id }) => id) },
    outages: projectOutages(report),
    usageKnown: usageOf !== null,
    items: byUptime(report.monitors.map(project)),
  };
}

function projectDeviceItem(
  { id, uuid, name, stats, previous }: ReportedMonitor,
  usage: DeviceUsage,
): DeviceReportShape["items"][number] {
  return {
    ...{ id, uuid, name },
    ...projectAvailability(summaryOf(stats)),
    cpuMean: percentage(usage.cpuMean),
    cpuMax: percentage(usage.cpuMax),
    memoryMean: percentage(usage.memoryMean),
    memoryMax: percentage(usage.memoryMax),
    diskMax: percentage(usage.diskMax),
    previous: projectAvailability(summaryOf(previous)),
  };
}
