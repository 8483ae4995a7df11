import { findAnywhere } from "../account/resolve-organization.ts";
import { findIncident } from "../store/queries/incidents.ts";
import { findOwner } from "../store/queries/ref.ts";
import { verb } from "../verb/verb.ts";
import { IdParams, parseId } from "../wire/id.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";

/** One incident of an organization that the caller may act in. Throws 404 for any other. */
export const getIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: Incident,
  async find(ctx, input) {
    const { db } = ctx.store;
    const ref = parseId(input.id);
    const find = (organizationId: number) => findIncident(db, organizationId, ref);
    return findAnywhere(ctx, find, () => findOwner(db, "incidents", ref));
  },
  run: async (_, __, incident) => projectIncident(incident),
});
