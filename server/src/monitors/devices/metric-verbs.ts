import { type Static, type TObject, Type } from "typebox";
import { MONITOR_KIND_TRAITS } from "../../platform/monitor-kinds.ts";
import { timestamp, timestampOrNull, withId } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { pageOf } from "../../platform/operations/paging.ts";
import { mapInTurns } from "../../platform/turns.ts";
import { findOfKind } from "../monitor.ts";
import { statusHistory } from "../monitor-history.ts";
import { findChange, readChanges, readSnapshot } from "../queries/device-snapshots.ts";
import { listPicturedMonitors } from "../queries/monitor-list.ts";
import {
  DeviceMetric,
  DeviceMetricsQuery,
  DeviceSeries,
  DeviceSeriesQuery,
  DeviceSparkline,
  DeviceSparklinesQuery,
  lineProjection,
  projectDeviceSparkline,
  projectMetric,
  readRefs,
} from "../schemas/device-metrics.ts";
import {
  DeviceApplication,
  DeviceApplicationChange,
  DeviceChangesQuery,
  DeviceConnection,
  DeviceContainer,
  DeviceListsQuery,
  DeviceProcess,
  projectChange,
  ReportedDetails,
} from "../schemas/devices.ts";
import { projectStatusPeriod, StatusHistoryQuery, StatusPeriod } from "../schemas/history.ts";
import { chartMetrics, listMetrics, readRecentUsage } from "./metrics/read-metrics.ts";
import { type SnapshotKind, uncompress } from "./pack-snapshots.ts";

const { resource, feature } = MONITOR_KIND_TRAITS.device;
const reads = { resource, feature, action: "read" } as const;

/** Over the last hour, without unknown devices. */
export const listDeviceSparklines = verb({
  ...reads,
  input: DeviceSparklinesQuery,
  output: Type.Array(DeviceSparkline),
  async run(ctx, { ids }) {
    const { organizationId } = ctx.caller;
    const known = await listPicturedMonitors(ctx.db, { organizationId, kind: "device", refs: readRefs(ids) });
    const usage = await readRecentUsage(
      ctx,
      known.map(({ id }) => id),
    );
    return known.map(({ id }) => projectDeviceSparkline(id, usage.get(id) ?? []));
  },
});

/** Newest first. Throws 404. */
export const deviceStatusHistory = verb({
  ...reads,
  input: withId(StatusHistoryQuery),
  output: Type.Array(StatusPeriod),
  find: findOfKind("device"),
  run: async (ctx, input, device) => (await statusHistory(ctx, device, input)).map(projectStatusPeriod),
});

const listAccess = { resource, feature, action: "read", find: findOfKind("device") } as const;

/** The newest list of that kind; empty before the first report. Throws 404. */
const listVerb = <Item extends TObject>(kind: SnapshotKind, item: Item) =>
  verb({
    ...listAccess,
    input: withId(DeviceListsQuery),
    output: Type.Array(item),
    paged: true,
    beside: ReportedDetails,
    async run({ db }, query, { id }) {
      const stored = await readSnapshot(db, id, kind);
      const items = stored ? uncompress<never[]>(stored.items) : [];
      const beside = { at: timestampOrNull(stored?.at ?? null), found: stored?.total ?? 0 };
      return { ...pageOf(items, query), beside };
    },
  });

export const listDeviceProcesses = listVerb("processes", DeviceProcess);
export const listDeviceConnections = listVerb("connections", DeviceConnection);
export const listDeviceApplications = listVerb("applications", DeviceApplication);
/** Where the agent may see them. */
export const listDeviceContainers = listVerb("containers", DeviceContainer);

/** Newest first. Throws 404. */
export const listApplicationChanges = verb({
  ...listAccess,
  input: withId(DeviceChangesQuery),
  output: Type.Array(DeviceApplicationChange),
  async run({ db, clock }, { limit = 100, before }, { id }) {
    const after = before === undefined ? null : await findChange(db, id, before);
    // The oldest rows are removed first: there is nothing before a missing one.
    if (before !== undefined && after === null) return [];
    return (await readChanges(db, id, { from: 0, to: clock.now(), limit, after })).map(projectChange);
  },
});

const metricAccess = { resource, feature, action: "read", find: findOfKind("device") } as const;

/** Newest first, at most `limit` values. Throws 404; 422 for a range that ends before it begins. */
export const listDeviceMetrics = verb({
  ...metricAccess,
  input: withId(DeviceMetricsQuery),
  output: Type.Array(DeviceMetric),
  async run(ctx, input, { id }) {
    const { metrics, resolution } = await listMetrics(ctx, { id }, readTimes(input));
    return mapInTurns(metrics, (metric) => projectMetric(metric, { deviceId: id, resolution }));
  },
});

/** For charts, oldest first. Throws as `listDeviceMetrics`. */
export const chartDeviceMetrics = verb({
  ...metricAccess,
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
