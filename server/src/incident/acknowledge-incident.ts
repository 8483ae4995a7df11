import { PublicError } from "../errors.ts";
import { tellAcknowledged } from "../notification/channel/tell-acknowledged.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IdParams } from "../wire/id.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeIncident } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";

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
    const incident = await lockForChange(ctx, found);
    const { acknowledgedById, acknowledgedByName, acknowledgedAt } = incident;
    const { userId } = ctx.caller;
    if (acknowledgedAt !== null && acknowledgedById !== userId) {
      throw new PublicError(
        "conflict",
        fact("incident.acknowledged", {
          name: acknowledgedByName ?? "?",
          at: new Date(acknowledgedAt).toISOString(),
        }),
      );
    }
    if (incident.resolvedAt !== null) throw new PublicError("conflict", fact("incident.is_over"));
    if (acknowledgedAt !== null) return projectIncident(await changeIncident(ctx, incident));
    const now = ctx.clock.now();
    const mine = await changeIncident(ctx, incident, { acknowledgedAt: now, acknowledgedById: userId });
    await tellAcknowledged(ctx.db, mine, now);
    return projectIncident(mine);
  },
});
