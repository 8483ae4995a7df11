import { type Static, Type } from "typebox";
import type { DeviceUsage } from "../../device/metrics/usage.ts";
import { summaryOf } from "../../report/summary.ts";
import type { ReportedMonitor } from "../../store/queries/monitor-report.ts";
import { percent, percentage, Uuid } from "../field.ts";
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

const usageFields = {
  cpuMean: percent("How busy its processor was, in the full hours of this time."),
  cpuMax: percent("The highest that was reported."),
  memoryMean: percent("How full its memory was."),
  memoryMax: percent("The highest that was reported."),
  diskMax: percent("The highest of its fullest disk."),
};

const Item = Type.Object(
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

/** GET /api/reports/devices. Up is online, down is offline. */
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
    items: Type.Array(Item, { description: "Every device, the least uptime first." }),
  },
  { title: "DeviceReport" },
);
export type DeviceReportShape = Static<typeof DeviceReport>;

/** What devices did, in the words of the API. `usageOf`: null where it was not read. */
export function projectDeviceReport(
  made: MadeReport,
  usageOf: ((id: number) => DeviceUsage) | null,
  none: DeviceUsage,
): DeviceReportShape {
  const { report, summary } = made;
  const project = (monitor: ReportedMonitor) => projectItem(monitor, usageOf?.(monitor.id) ?? none);
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

function projectItem(
  { id, uuid, name, figures, previous }: ReportedMonitor,
  usage: DeviceUsage,
): DeviceReportShape["items"][number] {
  return {
    ...{ id, uuid, name },
    ...projectAvailability(summaryOf(figures)),
    cpuMean: percentage(usage.cpuMean),
    cpuMax: percentage(usage.cpuMax),
    memoryMean: percentage(usage.memoryMean),
    memoryMax: percentage(usage.memoryMax),
    diskMax: percentage(usage.diskMax),
    previous: projectAvailability(summaryOf(previous)),
  };
}
