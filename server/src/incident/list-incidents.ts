import { Type } from "typebox";
import { countIncidents, listIncidents as queryIncidents } from "../store/queries/incidents.ts";
import { verb } from "../verb/verb.ts";
import { Incident, IncidentsQuery, incidentFilterOf, projectIncident } from "../wire/incidents.ts";
import { pageIn, pagingOf } from "../wire/page.ts";

/** The organization's incidents that fit, newest first, and how many there are. */
export const listIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IncidentsQuery,
  output: Type.Array(Incident),
  paged: true,
  async run({ db, caller }, input) {
    const paging = pagingOf(input);
    const filter = { organizationId: caller.organizationId, ...incidentFilterOf(input) };
    const items = (await queryIncidents(db, filter, paging)).map(projectIncident);
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidents(db, filter)) : undefined };
  },
});
