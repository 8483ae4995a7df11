import { PublicError } from "../errors.ts";
import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/field.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { acknowledgeEach, acknowledgeProblem } from "./acknowledge-incidents.ts";
import { changeIncident } from "./changed-incident.ts";
import { findIncidentMeant, lockIncident } from "./find-incident.ts";

/**
 * The caller knows of it. Once: whoever said so first is the one, and saying it again changes nothing. Throws 404, and
 * 409 where somebody else was first, or it is resolved.
 */
export const acknowledgeIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "acknowledge incidents",
  input: IdParams,
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, _, found) {
    const incident = await lockIncident(ctx, found);
    const { userId } = ctx.caller;
    const problem = acknowledgeProblem(incident, userId);
    if (problem) throw new PublicError("conflict", problem);
    if (incident.acknowledgedAt !== null) return projectIncident(await changeIncident(ctx, incident));
    const who = { acknowledgedById: userId };
    const [mine = incident] = await acknowledgeEach(ctx, incident.organizationId, [incident.id], who);
    return projectIncident(mine);
  },
});
