import type { Static } from "typebox";
import { invalidInput } from "../platform/errors.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import type { IncidentStatus } from "../platform/monitor-defaults.ts";
import { withId } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { checkText } from "../platform/operations/validator.ts";
import { changeAffected, findIncidentMeant, lockForChange, readAffectedMonitors } from "./affected.ts";
import { changeIncident, changeOfStatus, logUpdate, messageOfStatus } from "./changed-incident.ts";
import { readStart } from "./create-incident.ts";
import { deleteAffectedServices, insertAffectedServices } from "./queries/affected-services.ts";
import type { IncidentChange as StoredChange } from "./queries/incident-changes.ts";
import type { Incident as StoredIncident } from "./queries/incidents.ts";
import { IncidentChange } from "./schemas/incident-changes.ts";
import { Incident, projectIncident, storyOf } from "./schemas/incidents.ts";

/** Where people may move an incident to. What is resolved is reopened first; nothing begins twice. */
const MOVES: Record<IncidentStatus, readonly IncidentStatus[]> = {
  open: ["investigating", "identified", "monitoring", "resolved"],
  investigating: ["identified", "monitoring", "resolved"],
  identified: ["investigating", "monitoring", "resolved"],
  monitoring: ["investigating", "identified", "resolved"],
  resolved: [],
};

/** Why an incident cannot be moved; null: it can, or is there already. */
export function moveProblem(from: IncidentStatus, to: IncidentStatus): MessageDescriptor | null {
  if (from === to || MOVES[from].includes(to)) return null;
  return from === "resolved" ? msg("incident.is_resolved") : msg("incident.has_begun");
}

type Change = Static<typeof IncidentChange>;

/** Throws 422 for a state that people cannot move the incident to. */
export function assertMove(incident: StoredIncident, status: IncidentStatus | undefined): void {
  const problem = status && moveProblem(incident.status as IncidentStatus, status);
  if (problem) throw invalidInput({ status: [problem] });
}

/** Changes what is given. Throws 404, 409 for one that was merged, 422 for what it cannot become. */
export const updateIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "update incidents",
  input: withId(IncidentChange),
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, input, found) {
    const incident = await lockForChange(ctx, found);
    const { status } = input;
    assertMove(incident, status);
    const change = { ...ownChange(incident, input), ...readChange(ctx, incident, input) };
    await saveAffected(ctx, incident, input);
    const changed = await changeIncident(ctx, incident, change);
    if (status !== undefined && status !== incident.status) {
      await logUpdate(ctx, changed, messageOfStatus(status));
    }
    return projectIncident(changed);
  },
});

/** What a person writes is no longer the message that Vedette wrote. */
function ownChange(incident: StoredIncident, input: Change): StoredChange {
  const shown = storyOf(incident);
  const title = input.title === undefined ? shown.title : checkText("title", input.title);
  const description = input.description?.trim() ?? shown.description;
  // Sending back unchanged values changes nothing.
  return {
    ...(title !== shown.title && title !== incident.title && { title, titleMessage: null }),
    ...(description !== shown.description &&
      description !== incident.description && { description, descriptionMessage: null }),
  };
}

function readChange({ clock }: Running, incident: StoredIncident, input: Change): StoredChange {
  const now = clock.now();
  const { severity, impact, status, startedAt } = input;
  const start =
    startedAt === undefined ? {} : { startedAt: readStart(startedAt, incident.resolvedAt ?? now) };
  return {
    ...(severity && { severity }),
    ...(impact && { impact }),
    ...changeOfStatus({ ...incident, ...start }, status, now),
    ...start,
  };
}

async function saveAffected({ db }: Running, incident: StoredIncident, input: Change): Promise<void> {
  const { id, organizationId, affectedServices: known } = incident;
  const names = input.affectedServices?.map((name) => checkText("affectedServices", name));
  const monitors = input.monitorIds && (await readAffectedMonitors(db, organizationId, input.monitorIds));
  const { added, removed } = changeAffected(known, { monitors, names });
  await deleteAffectedServices(
    db,
    removed.map((one) => one.id),
  );
  await insertAffectedServices(db, [{ id, organizationId, affectedServices: added }]);
}
