import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/id.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { findIncidentMeant } from "./find-incident.ts";

/** One incident of an organization that the caller may act in. Throws 404 for any other. */
export const getIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: Incident,
  find: findIncidentMeant,
  run: async (_, __, incident) => projectIncident(incident),
});
