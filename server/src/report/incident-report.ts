import { invalidInput, notFound } from "../errors.ts";
import { readIncidentsBegun } from "../store/queries/incident-report.ts";
import { countIncidents } from "../store/queries/incidents.ts";
import { findOrganization } from "../store/queries/organizations.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IncidentReport, projectIncidentReport } from "../wire/reports/incidents.ts";
import { ReportQuery, windowInputOf } from "../wire/reports/query.ts";
import { REPORT_ACCESS } from "./report-access.ts";
import { windowOf } from "./report-window.ts";

/** One answer of about 10 MB. */
const MAX_INCIDENTS = 20_000;

/** The incidents that began in some time. Throws 422 for a time that cannot be, or that has too many. */
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
      throw invalidInput({ from: [fact("audit.many", { limit: MAX_INCIDENTS })] });
    }
    const incidents = await readIncidentsBegun(db, { organizationId, from, to });
    const previous = await readIncidentsBegun(db, { organizationId, from: previousFrom, to: from });
    return projectIncidentReport({ organization, window, now, incidents, previous });
  },
});
