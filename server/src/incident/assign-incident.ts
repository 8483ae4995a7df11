import { invalidInput } from "../errors.ts";
import { findMember } from "../store/queries/members.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { IncidentAssignment } from "../wire/incident-input.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeIncident } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";

/** Whose incident it is. Throws 404, 409 for one that was merged, 422 for somebody who is not a member. */
export const assignIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "assign incidents",
  input: IncidentAssignment,
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, { userId }, found) {
    const incident = await lockForChange(ctx, found);
    const member = userId === null ? null : await findMember(ctx.db, incident.organizationId, { id: userId });
    if (member === undefined) throw invalidInput({ userId: [fact("account.no_member")] });
    return projectIncident(await changeIncident(ctx, incident, { assigneeId: userId }));
  },
});
