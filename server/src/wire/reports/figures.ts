import { type Static, Type } from "typebox";
import { averageOf, type Summary, uptimeOf } from "../../report/summary.ts";
import type { ReportPoint } from "../../store/queries/monitor-report.ts";
import { milliseconds, ms, nullable, percent, percentage, Timestamp, timestamp } from "../field.ts";

const seconds = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} Seconds.`, examples: [2_592_000] });
const secondsOrNull = (description: string) =>
  nullable(Type.Integer({ minimum: 0 }), `${description} Seconds; null without an outage.`);

/** How long it was up and down. */
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

/** What checks found. */
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

export const ReportFigures = Type.Object(
  { ...availabilityFields, ...checkFields },
  { title: "ReportFigures" },
);
export type ReportFigures = Static<typeof ReportFigures>;

const pointFields = {
  timestamp: {
    ...Timestamp,
    description: "Where it begins; the first point begins with the report, and the last ends with it.",
  },
  uptimePercentage: availabilityFields.uptimePercentage,
  downSeconds: availabilityFields.downSeconds,
};

export const AvailabilityPoint = Type.Object(pointFields, { title: "AvailabilityPoint" });

export const PointOfReport = Type.Object({ ...pointFields, ...checkFields }, { title: "ReportPoint" });

const whole = (duration: number) => Math.round(duration / 1000);
const wholeOrNull = (duration: number | null) => (duration === null ? null : whole(duration));

/** What a stretch of time came to. */
export const projectFigures = (summary: Summary): ReportFigures => ({
  ...projectAvailability(summary),
  ...projectChecks(summary, summary.averageUs),
});

/** The same of what makes no checks. */
export const projectAvailability = (summary: Summary): Static<typeof ReportAvailability> => ({
  uptimePercentage: percentage(summary.uptime),
  knownSeconds: whole(summary.knownMs),
  downSeconds: whole(summary.downMs),
  outages: summary.outages,
  mttrSeconds: wholeOrNull(summary.mttrMs),
  mtbfSeconds: wholeOrNull(summary.mtbfMs),
  longestOutageSeconds: summary.outages === 0 ? null : whole(summary.longestOutageMs),
});

/** A point of a chart. `from`: the report's beginning, milliseconds. */
export const projectReportPoint = (point: ReportPoint, from: number): Static<typeof PointOfReport> => ({
  ...projectAvailabilityPoint(point, from),
  ...projectChecks(point, averageOf(point)),
});

/** The same of what makes no checks. */
export const projectAvailabilityPoint = (
  point: ReportPoint,
  from: number,
): Static<typeof AvailabilityPoint> => ({
  timestamp: timestamp(Math.max(point.at, from)),
  uptimePercentage: percentage(uptimeOf(point)),
  downSeconds: whole(point.downMs),
});

const projectChecks = (
  figures: Pick<Summary, "checks" | "failures" | "p50Us" | "p95Us" | "p99Us">,
  averageUs: number | null,
) => ({
  totalChecks: figures.checks,
  failedChecks: figures.failures,
  avgResponseTime: milliseconds(averageUs),
  responseTimeP50: milliseconds(figures.p50Us),
  responseTimeP95: milliseconds(figures.p95Us),
  responseTimeP99: milliseconds(figures.p99Us),
});
