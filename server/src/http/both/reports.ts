import { type Static, type TArray, type TObject, Type } from "typebox";
import { getDeviceReport } from "../../report/device-report.ts";
import { getIncidentReport } from "../../report/incident-report.ts";
import { getDomainReport, getServiceReport } from "../../report/monitor-reports.ts";
import { fileNameOf, itemsCsv, REPORT_CSV } from "../../wire/reports/csv.ts";
import type { DefineBoth } from "../both-families.ts";
import type { FileForm, Listing } from "../listing.ts";

/** What was up, how fast, and what happened over a time: to be read, and to be forwarded. */
export function describeReports(define: DefineBoth): void {
  define({
    verb: getDomainReport,
    method: "GET",
    url: "/api/reports/domains",
    summary: "What the domains did over a time",
    description: `Uptime, response times and outages of every domain and of all together, compared with the time before. ${MORE}`,
    formats: formatsOf("domains", getDomainReport.output),
  });
  define({
    verb: getServiceReport,
    method: "GET",
    url: "/api/reports/services",
    summary: "What the services did over a time",
    description: `Uptime, response times and outages of every service and of all together, compared with the time before. ${MORE}`,
    formats: formatsOf("services", getServiceReport.output),
  });
  define({
    verb: getDeviceReport,
    method: "GET",
    url: "/api/reports/devices",
    summary: "What the devices did over a time",
    description: `How long every device was online, how busy it was, and when it was away, compared with the time before. ${MORE}`,
    formats: formatsOf("devices", getDeviceReport.output),
  });
  define({
    verb: getIncidentReport,
    method: "GET",
    url: "/api/reports/incidents",
    summary: "The incidents of a time",
    description: `How many there were and how severe, how soon they were acknowledged and resolved, and what they affected, compared with the time before. ${MORE}`,
    formats: formatsOf("incidents", getIncidentReport.output),
  });
}

const MORE =
  "A range, or `from` and `to`, at most 366 days. The organization needs the Reports plan. `format=csv` has a row for each item.";

/** A report as it is sent: its period, and a list of items. */
type Report = { period: { from: string; to: string }; items: object[] };
type ReportSchema = TObject<{ items: TArray }>;

/** The files that a report may be. `subject`: what it is about, as files are called. */
function formatsOf<Output extends ReportSchema>(
  subject: string,
  { properties }: Output,
): NonNullable<Listing<TObject, Output, Static<Output>>["formats"]> {
  const csv: FileForm<Report> = {
    ...REPORT_CSV,
    of: ({ period, items }, word) => ({
      name: fileNameOf(subject, period, "csv"),
      content: itemsCsv(properties.items.items, items, word),
    }),
  };
  return { query: Type.Object({}), files: { csv: csv as FileForm<unknown> } };
}
