import { noteMonitors } from "../alerts/note.ts";
import { renewPages } from "../notification/announce-page.ts";
import { appendEvents } from "../store/queries/events.ts";
import { deleteIncident as removeIncident } from "../store/queries/incident-changes.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { Deleted, IdParams } from "../wire/field.ts";
import { projectIncidentChange } from "../wire/live.ts";
import { monitorsOf } from "./changed-incident.ts";
import { findIncidentMeant, lockIncident } from "./find-incident.ts";
import { membersOf } from "./group-rules.ts";
import { noteIncidentGone } from "./incident-posts.ts";

/**
 * Removes an incident with its log and comments. A monitor that is down stays down, and channels are told of it by itself; its
 * next outage opens another one. Throws 404.
 */
export const deleteIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "delete incidents",
  input: IdParams,
  output: Deleted,
  find: findIncidentMeant,
  async run(ctx, _, found) {
    const incident = await lockIncident(ctx, found);
    const { id, organizationId, title } = incident;
    const now = ctx.clock.now();
    await noteIncidentGone(ctx.db, incident, fact("incident.deleted"), now);
    await removeIncident(ctx.db, incident);
    const members = membersOf(incident.affectedServices);
    await noteMonitors(
      ctx.db,
      members.map(({ monitorId }) => ({ organizationId, monitorId })),
      now,
    );
    const payload = { ...projectIncidentChange(incident), isDeleted: true };
    appendEvents(ctx.db, [{ organizationId, type: "incident", payload }], now);
    await renewPages(ctx, monitorsOf([incident]));
    ctx.after(() => ctx.live.wake());
    ctx.record({ id, name: title });
    return { id };
  },
});
