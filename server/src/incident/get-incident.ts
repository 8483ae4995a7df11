import { listHeldBack } from "../store/queries/monitor-changes.ts";
import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/field.ts";
import { IncidentDetail, projectIncident } from "../wire/incidents.ts";
import { findIncidentMeant } from "./find-incident.ts";

/** One incident of an organization that the caller may act in, with what is held back behind it. Throws 404 for any other. */
export const getIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: IdParams,
  output: IncidentDetail,
  find: findIncidentMeant,
  async run({ db }, _, incident) {
    const down = incident.affectedServices.filter(
      (one) => one.outageStartedAt !== null && !one.outageEndedAt,
    );
    const suppressed = await listHeldBack(
      db,
      down.flatMap(({ monitorId }) => monitorId ?? []),
    );
    return { ...projectIncident(incident), suppressed };
  },
});
