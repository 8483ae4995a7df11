import { Type } from "typebox";
import { countIncidents, listIncidents as queryIncidents } from "../store/queries/incidents.ts";
import { verb } from "../verb/verb.ts";
import { Incident, IncidentsQuery, projectIncident } from "../wire/incidents.ts";
import { pageIn, pagingOf } from "../wire/page.ts";

/** The organization's incidents, newest first, and how many there are. */
export const listIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IncidentsQuery,
  output: Type.Array(Incident),
  paged: true,
  async run({ db, caller }, input) {
    const { status, severity } = input;
    const paging = pagingOf(input);
    const filter = { organizationId: caller.organizationId, status, severity };
    const items = (await queryIncidents(db, filter, paging)).map(projectIncident);
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidents(db, filter)) : undefined };
  },
});
