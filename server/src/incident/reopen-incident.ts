import { PublicError } from "../errors.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/field.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeIncident, logUpdate } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfReopened } from "./title-rules.ts";

/**
 * What was resolved goes on. An automatic one that still has an outage is resolved with that; any other one by people.
 * Throws 404, and 409 for one that is not resolved.
 */
export const reopenIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "reopen incidents",
  input: IdParams,
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, _, found) {
    const incident = await lockForChange(ctx, found);
    if (incident.resolvedAt === null) throw new PublicError("conflict", fact("incident.is_open"));
    const isDown = membersOf(incident.affectedServices).some((one) => one.outageEndedAt === null);
    const words = isDown ? {} : wordsOfReopened(incident);
    const reopened = await changeIncident(ctx, incident, { ...words, status: "open", resolvedAt: null });
    await logUpdate(ctx, reopened, fact("incident.reopened"));
    return projectIncident(reopened);
  },
});
