import { hash } from "node:crypto";
import { type Static, Type } from "typebox";
import { RANGES, RESOLUTIONS } from "../../engine/results/precision.ts";
import type { Ref } from "../../platform/database/sql.ts";
import {
  nullable,
  oneOf,
  percentage,
  readId,
  Timestamp,
  timestamp,
} from "../../platform/operations/field.ts";
import type { Metric, UsagePoint } from "../devices/metrics/read-metrics.ts";
import { METRIC_TYPES, METRIC_UNITS, typeOf, unitOf } from "../devices/metrics/usage.ts";
import { SparklinesQuery } from "./monitor-stats.ts";

const moment = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const Name = Type.String({
  description:
    "`cpu.usage`, `memory.used`, `disk./var.usage`, `network.eth0.rx` …; the middle part is the device's own name of a core, a disk or an interface.",
  examples: ["cpu.usage"],
});
const MetricName = Type.String({ ...Name, minLength: 1, maxLength: 255 });
const Kind = oneOf(METRIC_TYPES, { description: "What it is about; its name begins with it." });
const Unit = oneOf(METRIC_UNITS, {
  description: "Percentages are 0 to 100. `number`: a metric that only a newer agent knows.",
});
const Detail = oneOf(RESOLUTIONS, {
  description:
    "`raw`: as the device reported it, for 2 days; else the length of the time that an entry covers: a minute (retained for 30 days), 15 minutes (90 days) or an hour (2 years).",
});

/** Which metrics, and of when. */
const which = {
  type: Type.Optional(Kind),
  name: Type.Optional({ ...MetricName, description: "Only the metric of this name." }),
  from: moment("From then on; an entry that covers this time is included."),
  to: moment("Before then. Default: now; without `from` or `range`, the day before it is meant."),
  resolution: Type.Optional({
    ...Detail,
    description: "Default: the finest that is retained for the whole range with at most about 1,000 entries.",
  }),
};

/** GET /api/devices/{deviceId}/metrics. */
export const DeviceMetricsQuery = Type.Object({
  ...which,
  range: Type.Optional(
    oneOf(RANGES, {
      description: "How far back from `to`. Without any time, the newest entries as they were reported.",
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: "How many entries, newest first.",
  }),
});

/** GET /api/devices/{deviceId}/metrics/series. */
export const DeviceSeriesQuery = Type.Object({
  ...which,
  range: oneOf(RANGES, { default: "24h", description: "How far back from `to`; `from` replaces it." }),
});

const value = Type.Number({ description: "As reported, or the mean of the time that the entry covers." });
const min = Type.Number({ description: "The minimum of that time." });
const max = Type.Number({ description: "The maximum of that time." });

export const DeviceMetric = Type.Object(
  {
    id: Type.Integer({
      description: "Always the same for the same device, name, time and resolution.",
      examples: [4503599627370496],
    }),
    deviceId: Type.Integer(),
    ...{ type: Kind, name: Name, value, unit: Unit },
    timestamp: Timestamp,
    ...{ min, max, resolution: Detail },
  },
  { title: "DeviceMetric" },
);

export const DeviceSeries = Type.Object(
  {
    from: { ...Timestamp, description: "How far back it goes." },
    to: Timestamp,
    resolution: {
      ...Detail,
      description:
        "The resolution of the answer: coarser than requested if that would be more than 100,000 points in all.",
    },
    series: Type.Array(
      Type.Object({
        ...{ type: Kind, name: Name, unit: Unit },
        points: Type.Array(Type.Object({ timestamp: Timestamp, value, min, max }), {
          description: "Oldest first; none where nothing was reported.",
        }),
      }),
      { description: "One a metric, by name." },
    ),
  },
  { title: "DeviceSeries" },
);
export type DeviceSeries = Static<typeof DeviceSeries>;

type Point = Omit<Metric, "name">;
type Found = Pick<Static<typeof DeviceMetric>, "deviceId" | "resolution">;

/** One metric of a device. */
export function projectMetric(
  { name, at, ...values }: Metric,
  { deviceId, resolution }: Found,
): Static<typeof DeviceMetric> {
  const id = idOf(`${deviceId} ${resolution} ${at} ${name}`);
  return {
    ...{ id, deviceId, type: typeOf(name), name, unit: unitOf(name) },
    ...values,
    ...{ timestamp: timestamp(at), resolution },
  };
}

/** No row has such a number, so it is made from 53 bits of a digest, which is as good as unique among any that are seen together. */
const idOf = (text: string): number => Number.parseInt(hash("sha256", text).slice(0, 14), 16) % 2 ** 53;

/** The lines of a chart, which have most of their times in common. Answers what makes one. */
export function lineProjection() {
  const known = new Map<number, string>();
  const said = (at: number): string => {
    const text = known.get(at) ?? timestamp(at);
    known.set(at, text);
    return text;
  };
  return ({ name, points }: { name: string; points: readonly Point[] }): DeviceSeries["series"][number] => ({
    ...{ type: typeOf(name), name, unit: unitOf(name) },
    // One by one: tens of thousands of them are made for an answer.
    points: points.map(({ at, value, min: least, max: most }) => ({
      timestamp: said(at),
      value,
      min: least,
      max: most,
    })),
  });
}

/** GET /api/devices/sparklines. */
export const DeviceSparklinesQuery = SparklinesQuery;

/** The devices that it names. */
export const readRefs = (ids = ""): Ref[] => ids.split(",").flatMap((id) => readId(id) ?? []);

const percent = nullable(Type.Number({ minimum: 0 }), "Percent; null where nothing was reported.");

export const DeviceSparkline = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    points: Type.Array(Type.Object({ timestamp: Timestamp, cpuUsage: percent, memoryUsage: percent }), {
      description: "The last hour in steps of two minutes, oldest first.",
    }),
  },
  { title: "DeviceSparkline" },
);

/** What the row of a list draws of a device. */
export const projectDeviceSparkline = (
  id: number,
  points: readonly UsagePoint[],
): Static<typeof DeviceSparkline> => ({
  id,
  points: points.map(({ at, cpu, memory }) => ({
    timestamp: timestamp(at),
    cpuUsage: percentage(cpu),
    memoryUsage: percentage(memory),
  })),
});
