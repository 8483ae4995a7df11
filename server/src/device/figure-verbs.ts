import { Type } from "typebox";
import { MONITOR_KIND_FACTS } from "../monitor/kinds.ts";
import { findOfKind } from "../monitor/require-monitor.ts";
import { statusHistory } from "../monitor/status-history.ts";
import { listPicturedMonitors } from "../store/queries/activity.ts";
import { verb } from "../verb/verb.ts";
import {
  DeviceSparkline,
  DeviceSparklinesQuery,
  projectDeviceSparkline,
  readRefs,
} from "../wire/device-metrics.ts";
import { withId } from "../wire/field.ts";
import { projectStatusPeriod, StatusHistoryQuery, StatusPeriod } from "../wire/history.ts";
import { readRecentUsage } from "./metrics/recent-usage.ts";

const { resource, feature } = MONITOR_KIND_FACTS.device;
const reads = { resource, feature, action: "read" } as const;

/** How busy those that are named were over the last hour, for the rows of a list; without those that are unknown. */
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

/** When a device was online, offline and not well, newest first. Throws 404. */
export const deviceStatusHistory = verb({
  ...reads,
  input: withId(StatusHistoryQuery),
  output: Type.Array(StatusPeriod),
  find: findOfKind("device"),
  run: async (ctx, input, device) => (await statusHistory(ctx, device, input)).map(projectStatusPeriod),
});
