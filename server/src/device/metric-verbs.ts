import type { Static } from "typebox";
import { Type } from "typebox";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { findOfKind } from "../monitor/require-monitor.ts";
import { mapInTurns } from "../turns.ts";
import { verb } from "../verb/verb.ts";
import {
  DeviceMetric,
  DeviceMetricsQuery,
  DeviceSeries,
  DeviceSeriesQuery,
  lineProjection,
  projectMetric,
} from "../wire/device-metrics.ts";
import { timestamp, withId } from "../wire/field.ts";
import { chartMetrics, listMetrics } from "./metrics/read-metrics.ts";

const { resource, feature } = MONITOR_KIND_FACTS.device;
const reads = { resource, feature, action: "read", find: findOfKind("device") } as const;

/** What a device measured, newest first, at most `limit` figures. Throws 404; 422 for a range that ends before it begins. */
export const listDeviceMetrics = verb({
  ...reads,
  input: withId(DeviceMetricsQuery),
  output: Type.Array(DeviceMetric),
  async run(ctx, input, { id }) {
    const { metrics, resolution } = await listMetrics(ctx, { id }, readTimes(input));
    return mapInTurns(metrics, (metric) => projectMetric(metric, { deviceId: id, resolution }));
  },
});

/** The same over a range, for charts, oldest first. Throws likewise. */
export const chartDeviceMetrics = verb({
  ...reads,
  input: withId(DeviceSeriesQuery),
  output: DeviceSeries,
  async run(ctx, input, { id }) {
    const { lines, resolution, from, to } = await chartMetrics(ctx, { id }, readTimes(input));
    const series: Static<typeof DeviceSeries>["series"] = await mapInTurns(lines, lineProjection());
    return { from: timestamp(from), to: timestamp(to), resolution, series };
  },
});

function readTimes<Input extends { from?: string; to?: string }>({ from, to, ...rest }: Input) {
  return {
    ...rest,
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}
