import { notFound } from "../errors.ts";
import type { IncidentEvent } from "../notification/channel/filter.ts";
import { tellOfIncident } from "../notification/person/tell-of-incident.ts";
import { appendEvents } from "../store/queries/events.ts";
import { type IncidentChange, updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { findIncident, type Incident } from "../store/queries/incidents.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";
import { projectIncidentChange } from "../wire/live.ts";
import type { IncidentStatus } from "./states.ts";

/** What a change of an incident needs; whoever makes it. */
type Changing = Pick<Running, "db" | "clock" | "live" | "after" | "record">;

/** Tells open pages of an incident that people changed. */
export function announceIncident(ctx: Changing, incident: Incident): void {
  const { organizationId } = incident;
  const event = { organizationId, type: "incident" as const, payload: projectIncidentChange(incident) };
  appendEvents(ctx.db, [event], ctx.clock.now());
  ctx.after(() => ctx.live.wake());
}

/** Changes an incident that is locked; open pages and the audit log hear of it. Returns it as it is now. */
export async function changeIncident(
  ctx: Changing,
  { id, organizationId }: Incident,
  change: IncidentChange = {},
): Promise<Incident> {
  await updateIncident(ctx.db, id, change, ctx.clock.now());
  const incident = await findIncident(ctx.db, organizationId, { id });
  if (!incident) throw notFound();
  announceIncident(ctx, incident);
  ctx.record({ id, name: incident.title });
  return incident;
}

/** What of an incident a new state changes. */
export const changeOfStatus = (
  incident: Incident,
  status: IncidentStatus | undefined,
  now: number,
): IncidentChange => {
  if (status === undefined || status === incident.status) return {};
  return { status, resolvedAt: status === "resolved" ? Math.max(now, incident.startedAt) : null };
};

/** Writes into an incident's log, and to those who want to hear of it: what a person says, or a fact of what they did. */
export async function logUpdate(
  { db, caller, clock, config }: Running,
  incident: Pick<Incident, "id" | "organizationId" | "status" | "title" | "severity">,
  said: string | Fact,
  event: IncidentEvent = incident.status === "resolved" ? "incident.resolved" : "incident.updated",
): Promise<void> {
  const { id: incidentId, organizationId, status } = incident;
  const words =
    typeof said === "string" ? { message: said, fact: null } : { message: inEnglish(said), fact: said };
  const who = { organizationId, incidentId, userId: caller.userId };
  const now = clock.now();
  const isOpening = event === "incident.opened";
  await insertIncidentUpdates(db, [{ ...who, status, ...words, at: now, isOpening }]);
  await tellOfIncident(db, { event, incident, said, authorId: caller.userId }, { now, config });
}

/** What the log says of a new state where nobody says more. */
export const factOfStatus = (stage: IncidentStatus): Fact => fact("incident.status_set", { stage });
