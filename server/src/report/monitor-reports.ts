import { notFound } from "../errors.ts";
import type { CheckedKind, MonitorKind } from "../monitor/monitor-defaults.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { type Running, verb } from "../verb/verb.ts";
import { type MadeReport, monitorReportOf, projectMonitorReport } from "../wire/reports/monitors.ts";
import { ReportQuery, windowInputOf } from "../wire/reports/query.ts";
import { REPORT_ACCESS } from "./report-access.ts";
import { type ReportWindow, windowOf } from "./report-window.ts";
import { summarize } from "./summary.ts";

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

/** What the domains did in some time. Throws 422 for a time that cannot be. */
export const getDomainReport = reportOf("domain");

/** The same of services. */
export const getServiceReport = reportOf("service");

/** Reads what the caller's monitors of a kind did, and what it comes to. */
export async function makeMonitorReport(
  ctx: Running,
  kind: MonitorKind,
  window: ReportWindow,
): Promise<MadeReport> {
  const { organizationId } = ctx.caller;
  const organization = await findOrganization(ctx.db, { id: organizationId });
  if (!organization) throw notFound();
  const report = await ctx.readAside("readMonitorReport", { organizationId, kind, ...window });
  return { organization, generatedAt: ctx.clock.now(), report, summary: summarize(report) };
}
