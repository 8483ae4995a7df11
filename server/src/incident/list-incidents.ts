import { Type } from "typebox";
import { countIncidents, listIncidents as queryIncidents } from "../store/queries/incidents.ts";
import { verb } from "../verb/verb.ts";
import { Incident, IncidentsQuery, projectIncident } from "../wire/incidents.ts";

/** Without paging, everything up to this many (decisions §1). */
const UNPAGED_LIMIT = 1000;
const PAGE_LIMIT = 20;

/** The organization's incidents, newest first, and how many there are. */
export const listIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IncidentsQuery,
  output: Type.Array(Incident),
  paged: true,
  async run({ db, caller }, input) {
    const { status, severity, page = 1 } = input;
    const isPaged = input.page !== undefined || input.limit !== undefined;
    const limit = input.limit ?? (isPaged ? PAGE_LIMIT : UNPAGED_LIMIT);
    const filter = { organizationId: caller.organizationId, status, severity };
    const incidents = await queryIncidents(db, filter, { limit, offset: (page - 1) * limit });
    const items = incidents.map(projectIncident);
    if (!isPaged) return { items };
    return { items, page: { page, size: limit, total: await countIncidents(db, filter) } };
  },
});
