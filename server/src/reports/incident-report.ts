import { countIncidents } from "../incidents/queries/incidents.ts";
import { NO_USAGE, usageOfDevices } from "../monitors/devices/metrics/usage.ts";
import { findOrganization } from "../platform/access/queries/organizations.ts";
import { invalidInput, notFound } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import type { CheckedKind, MonitorKind } from "../platform/monitor-defaults.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { MONITOR_REPORT, readIncidentsBegun } from "./queries/reports.ts";
import { type ReportWindow, windowOf } from "./report-points.ts";
import {
  DeviceReport,
  IncidentReport,
  projectDeviceReport,
  projectIncidentReport,
} from "./schemas/incidents-and-devices.ts";
import { type MadeReport, monitorReportOf, projectMonitorReport } from "./schemas/monitors.ts";
import { ReportQuery, windowInputOf } from "./schemas/query.ts";
import { summarize } from "./summary.ts";

const REPORT_ACCESS = { resource: "reports", action: "read", feature: "reports" } as const;

/** An answer of about 10 MB. */
const MAX_INCIDENTS = 20_000;

/** Incidents that began in the period. Throws 422 for an invalid period, or too many. */
export const getIncidentReport = verb({
  ...REPORT_ACCESS,
  input: ReportQuery,
  output: IncidentReport,
  async run({ db, caller, clock }, input) {
    const { organizationId } = caller;
    const now = clock.now();
    const window = windowOf(windowInputOf(input), now);
    const { from, to } = window;
    const previousFrom = from - (to - from);
    const organization = await findOrganization(db, { id: organizationId });
    if (!organization) throw notFound();
    if ((await countIncidents(db, { organizationId, from: previousFrom, to })) > MAX_INCIDENTS) {
      throw invalidInput({ from: [msg("audit.many", { limit: MAX_INCIDENTS })] });
    }
    const incidents = await readIncidentsBegun(db, { organizationId, from, to });
    const previous = await readIncidentsBegun(db, { organizationId, from: previousFrom, to: from });
    return projectIncidentReport({ organization, window, now, incidents, previous });
  },
});

const reportOf = (kind: CheckedKind) =>
  verb({
    ...REPORT_ACCESS,
    input: ReportQuery,
    output: monitorReportOf(kind),
    async run(ctx, input) {
      const window = windowOf(windowInputOf(input), ctx.clock.now());
      return projectMonitorReport(kind, await makeMonitorReport(ctx, kind, window));
    },
  });

/** Throws 422 for an invalid period. */
export const getDomainReport = reportOf("domain");

/** Throws 422 for an invalid period. */
export const getServiceReport = reportOf("service");

async function makeMonitorReport(ctx: Running, kind: MonitorKind, window: ReportWindow): Promise<MadeReport> {
  const { organizationId } = ctx.caller;
  const organization = await findOrganization(ctx.db, { id: organizationId });
  if (!organization) throw notFound();
  const report = await ctx.readInWorker(MONITOR_REPORT, { organizationId, kind, ...window });
  return { organization, generatedAt: ctx.clock.now(), report, summary: summarize(report) };
}

/** Throws 422 for an invalid period. */
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
