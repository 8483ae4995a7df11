import { randomUUIDv7 } from "node:crypto";
import { noteMonitors } from "../monitors/queries/monitor-changes.ts";
import { findMember } from "../platform/access/queries/members.ts";
import { appendEvents } from "../platform/database/events.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { IMPACT_OF_SEVERITY } from "../platform/monitor-defaults.ts";
import { Deleted, IdParams } from "../platform/operations/field.ts";
import { verb } from "../platform/operations/operation.ts";
import { checkText } from "../platform/operations/validator.ts";
import {
  changeAffected,
  findIncidentMeant,
  lockForChange,
  lockIncident,
  readAffectedMonitors,
  readPages,
} from "./affected.ts";
import {
  announceIncident,
  changeIncident,
  logUpdate,
  messageOfStatus,
  monitorsOf,
} from "./changed-incident.ts";
import { membersOf } from "./group-rules.ts";
import { insertAffectedServices } from "./queries/affected-services.ts";
import { insertIncidents, deleteIncident as removeIncident } from "./queries/incident-changes.ts";
import { findIncident } from "./queries/incidents.ts";
import { IncidentAssignment, IncidentCreate } from "./schemas/incident-changes.ts";
import { Incident, projectIncident } from "./schemas/incidents.ts";
import { projectIncidentChange } from "./schemas/live.ts";
import { wordsOfReopened } from "./title-rules.ts";

/** When an incident began, by default now. Throws 422 for a time that has not come. */
export function readStart(startedAt: string | undefined, now: number): number {
  const at = startedAt === undefined ? now : Date.parse(startedAt);
  if (at > now) throw invalidInput({ startedAt: [msg("input.past", { field: "startedAt" })] });
  return at;
}

/** Opens an incident that a person reports. It never changes what is detected. Throws 422 for what it cannot be. */
export const createIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "create incidents",
  input: IncidentCreate,
  output: Incident,
  async run(ctx, input) {
    const { db, caller, clock } = ctx;
    const now = clock.now();
    const { organizationId } = caller;
    const { description = "", severity = "medium", status = "open" } = input;
    const { impact = IMPACT_OF_SEVERITY[severity] } = input;
    const title = checkText("title", input.title);
    const monitors = await readAffectedMonitors(db, organizationId, input.monitorIds ?? []);
    const names = input.affectedServices?.map((name) => checkText("affectedServices", name));
    const { added: affectedServices } = changeAffected([], { monitors, names });
    const incident = {
      ...{ uuid: randomUUIDv7(), organizationId, monitorId: null, automatic: false },
      ...{ titleMessage: null, descriptionMessage: null },
      ...{ title, description: description.trim(), severity, impact, status, affectedServices },
      startedAt: readStart(input.startedAt, now),
      detectedAt: now,
      resolvedAt: status === "resolved" ? now : null,
    };
    const id = (await insertIncidents(db, [incident], now)).get(incident.uuid) ?? 0;
    await insertAffectedServices(db, [{ id, organizationId, affectedServices }]);
    const said = incident.description === "" ? messageOfStatus(status) : incident.description;
    const pages = await readPages(db, organizationId, input.pages);
    await logUpdate(ctx, { ...incident, id }, said, { isOpening: true, pages });
    const created = await findIncident(db, organizationId, { id });
    if (!created) throw notFound();
    await announceIncident(ctx, created);
    ctx.record({ id, name: title });
    return projectIncident(created);
  },
});

/** Assigns an incident. Throws 404, 409 for one that was merged, 422 for a person who is not a member. */
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
    if (member === undefined) throw invalidInput({ userId: [msg("account.no_member")] });
    return projectIncident(await changeIncident(ctx, incident, { assigneeId: userId }));
  },
});

/**
 * Removes an incident with its log and comments. A monitor that is down stays down, and channels are notified of it separately;
 * its next outage opens another one. Throws 404.
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
    await ctx.incidentNotifier.noteGone(ctx.db, incident, msg("incident.deleted"), now);
    await removeIncident(ctx.db, incident);
    const members = membersOf(incident.affectedServices);
    await noteMonitors(
      ctx.db,
      members.map(({ monitorId }) => ({ organizationId, monitorId })),
      now,
    );
    const payload = { ...projectIncidentChange(incident), isDeleted: true };
    appendEvents(ctx.db, [{ organizationId, type: "incident", payload }], now);
    await ctx.statusPages.renew(ctx, monitorsOf([incident]));
    ctx.after(() => ctx.live.wake());
    ctx.record({ id, name: title });
    return { id };
  },
});

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
    if (incident.resolvedAt === null) throw new PublicError("conflict", msg("incident.is_open"));
    const isDown = membersOf(incident.affectedServices).some((one) => one.outageEndedAt === null);
    const words = isDown ? {} : wordsOfReopened(incident);
    const reopened = await changeIncident(ctx, incident, { ...words, status: "open", resolvedAt: null });
    await logUpdate(ctx, reopened, msg("incident.reopened"));
    return projectIncident(reopened);
  },
});
