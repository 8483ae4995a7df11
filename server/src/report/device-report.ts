import { NO_USAGE, usageOfDevices } from "../device/metrics/usage.ts";
import { verb } from "../verb/verb.ts";
import { DeviceReport, projectDeviceReport } from "../wire/reports/devices.ts";
import { ReportQuery, windowInputOf } from "../wire/reports/query.ts";
import { makeMonitorReport } from "./monitor-reports.ts";
import { REPORT_ACCESS } from "./report-access.ts";
import { windowOf } from "./report-window.ts";

/** How long the devices were online in some time, and how busy. Throws 422 for a time that cannot be. */
export const getDeviceReport = verb({
  ...REPORT_ACCESS,
  input: ReportQuery,
  output: DeviceReport,
  async run(ctx, input) {
    const window = windowOf(windowInputOf(input), ctx.clock.now());
    const made = await makeMonitorReport(ctx, "device", window);
    const ids = made.report.monitors.map(({ id }) => id);
    const usage = await usageOfDevices(ctx, ids, made.report);
    return projectDeviceReport(made, usage && ((id) => usage.get(id) ?? NO_USAGE), NO_USAGE);
  },
});
