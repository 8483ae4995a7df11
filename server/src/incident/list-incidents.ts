import { Type } from "typebox";
import { invalidInput } from "../errors.ts";
import { incidentOrderTerms } from "../store/queries/incident-order.ts";
import { countIncidents, listIncidents as queryIncidents } from "../store/queries/incidents.ts";
import { findOwner, type Ref } from "../store/queries/ref.ts";
import { fact } from "../texts/fact.ts";
import { type Running, verb } from "../verb/verb.ts";
import { readId } from "../wire/id.ts";
import { Incident, IncidentsQuery, incidentFilterOf, projectIncident } from "../wire/incidents.ts";
import { pageIn, pagingOf } from "../wire/page.ts";
import { readSort } from "../wire/sort.ts";
import type { IncidentSort } from "./states.ts";

/** The organization's incidents that fit, newest first or sorted, and how many there are. Throws 422 for a monitor that it has not. */
export const listIncidents = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IncidentsQuery,
  output: Type.Array(Incident),
  paged: true,
  async run(ctx, input) {
    const { db, caller } = ctx;
    const paging = pagingOf(input);
    const monitor = input.monitor === undefined ? undefined : await monitorMeant(ctx, input.monitor);
    const filter = { organizationId: caller.organizationId, ...incidentFilterOf(input), monitor };
    const sort = readSort<IncidentSort>(input.sort);
    const order = sort ? incidentOrderTerms(sort, ctx.clock.now()) : undefined;
    const items = (await queryIncidents(db, filter, { ...paging, order })).map(projectIncident);
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidents(db, filter)) : undefined };
  },
});

/** One that was deleted has had incidents, too. */
async function monitorMeant({ db, caller }: Running, text: string): Promise<Ref> {
  const ref = readId(text);
  if (ref && (await findOwner(db, "monitors", ref)) === caller.organizationId) return ref;
  throw invalidInput({ monitor: [fact("incident.no_monitor", { id: text })] });
}
