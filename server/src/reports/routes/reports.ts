import { Readable } from "node:stream";
import type { Static, TArray, TObject } from "typebox";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import type { FileForm, Listing } from "../../platform/http/listing.ts";
import type { ReportDocument } from "../document/document.ts";
import { type Writing, writingFor } from "../document/document.ts";
import { HTML_HEADERS, htmlDocument } from "../document/html-document.ts";
import { incidentDocument } from "../document/incident-document.ts";
import { makePdf } from "../document/make-pdf.ts";
import { monitorDocument } from "../document/monitor-document.ts";
import { getDeviceReport, getDomainReport, getIncidentReport, getServiceReport } from "../incident-report.ts";
import { exportAuditLog, listAuditLog } from "../list-audit-log.ts";
import { getDashboardStats, listRecentActivity } from "../list-recent-activity.ts";
import { AUDIT_LOG_CSV, auditLogFile } from "../schemas/audit-log.ts";
import {
  DocumentQuery,
  fileNameOf,
  itemsCsv,
  REPORT_CSV,
  REPORT_HTML,
  REPORT_PDF,
} from "../schemas/query.ts";
import { search } from "../search.ts";

export function describeReports(define: DefineBoth): void {
  define({
    verb: getDomainReport,
    method: "GET",
    url: "/api/reports/domains",
    summary: "What the domains did over a time",
    description: `Uptime, response times and outages of every domain and of all together, compared with the time before. ${MORE}`,
    formats: formatsOf("domains", getDomainReport.output, (report, writing) =>
      monitorDocument({ about: "domains", ...report }, writing),
    ),
  });
  define({
    verb: getServiceReport,
    method: "GET",
    url: "/api/reports/services",
    summary: "What the services did over a time",
    description: `Uptime, response times and outages of every service and of all together, compared with the time before. ${MORE}`,
    formats: formatsOf("services", getServiceReport.output, (report, writing) =>
      monitorDocument({ about: "services", ...report }, writing),
    ),
  });
  define({
    verb: getDeviceReport,
    method: "GET",
    url: "/api/reports/devices",
    summary: "What the devices did over a time",
    description: `How long every device was online, how busy it was, and when it was away, compared with the time before. ${MORE}`,
    formats: formatsOf("devices", getDeviceReport.output, (report, writing) =>
      monitorDocument({ about: "devices", ...report }, writing),
    ),
  });
  define({
    verb: getIncidentReport,
    method: "GET",
    url: "/api/reports/incidents",
    summary: "The incidents of a time",
    description: `How many there were and how severe, how soon they were acknowledged and resolved, and what they affected, compared with the time before. ${MORE}`,
    formats: formatsOf("incidents", getIncidentReport.output, incidentDocument),
  });
}

const MORE =
  "A range, or `from` and `to`, at most 366 days. The organization needs the Reports plan. `format=csv` has a row for each item; `pdf` and `html` are for people, with charts and the first 1,000 items.";

type Report = { organization: { id: number }; period: { from: string; to: string }; items: object[] };
type ReportSchema = TObject<{ items: TArray }>;

/** `subject`: for file names; `write`: for people. */
function formatsOf<Output extends ReportSchema>(
  subject: string,
  { properties }: Output,
  write: (report: Static<Output>, writing: Writing) => ReportDocument,
): NonNullable<Listing<TObject, Output, Static<Output>>["formats"]> {
  const documentOf = (report: Report, query: object) => {
    const { language, timeZone } = query as Static<typeof DocumentQuery>;
    return write(report as Static<Output>, writingFor(language, timeZone));
  };
  const files: Record<string, FileForm<Report>> = {
    csv: {
      ...REPORT_CSV,
      of: ({ period, items }, word) => ({
        name: fileNameOf(subject, period, "csv"),
        content: itemsCsv(properties.items.items, items, word),
      }),
    },
    pdf: {
      ...REPORT_PDF,
      of: async (report, _, query) => ({
        name: fileNameOf(subject, report.period, "pdf"),
        content: Readable.from([await makePdf(documentOf(report, query), report.organization.id)]),
      }),
    },
    html: {
      ...REPORT_HTML,
      of: (report, _, query) => ({
        name: fileNameOf(subject, report.period, "html"),
        content: Readable.from([htmlDocument(documentOf(report, query))]),
        shown: HTML_HEADERS,
      }),
    },
  };
  return { query: DocumentQuery, files: files as Record<string, FileForm<unknown>> };
}

/** The first look: metrics, and what happened last. */
export function describeDashboard(define: DefineBoth): void {
  define({
    verb: getDashboardStats,
    method: "GET",
    url: "/api/dashboard/stats",
    summary: "Metrics of everything together",
    description:
      "Counts of domains, devices, services and open incidents, and the open incidents of which no notification was sent.",
  });
  define({
    verb: listRecentActivity,
    method: "GET",
    url: "/api/dashboard/recent-activity",
    summary: "What happened last",
    description: "Status changes, incidents, and what people changed, newest first.",
  });
  define({
    verb: search,
    method: "GET",
    url: "/api/search",
    summary: "Find something by its name",
    description:
      "Domains, services and incidents by name, tag, URL or other address, number or uuid; of these what you may read (`read:domains`, `read:services`, `read:incidents`). The best first: that very number or uuid, names that start with the words, a word of theirs that does, other names, tags, addresses.",
  });
}

const AUDIT_LOG = { url: "/api/organizations/:id/audit-log", params: { id: "organization" } };

/** Who did what. */
export function describeAuditLog(define: DefineBoth): void {
  define({
    ...AUDIT_LOG,
    verb: listAuditLog,
    method: "GET",
    summary: "List who did what in an organization",
    description:
      "Every change, newest first, stored for 400 days: who made it, when, with which API key and from where. Only for owners and admins.",
  });
  define({
    ...AUDIT_LOG,
    url: `${AUDIT_LOG.url}.csv`,
    verb: exportAuditLog,
    method: "GET",
    summary: "The audit log as a CSV file",
    description:
      "What the same filters of `audit-log` list, newest first, under a head of the fields' names. 422 for more than 100,000 entries. Only for owners and admins.",
    file: { ...AUDIT_LOG_CSV, of: auditLogFile },
  });
}
