import { noteMonitors } from "../alerts/note.ts";
import { invalidInput, PublicError } from "../errors.ts";
import { partition } from "../partition.ts";
import { stayApart } from "../store/queries/affected-services.ts";
import { readOutageEnds } from "../store/queries/automatic-incidents.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { readReasonsOfMonitors } from "../store/queries/outage-reasons.ts";
import { fact } from "../texts/fact.ts";
import { type Running, verb } from "../verb/verb.ts";
import { IncidentSplit } from "../wire/incident-input.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeIncident } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import { resolveFinished } from "./resolve-incident.ts";
import { type Member, type Reasons, separateOutages } from "./separate-outages.ts";
import { unlessWritten } from "./title-rules.ts";

/**
 * Gives the outage of one monitor, or those of all but the first, an incident of its own, acknowledged as this one is where
 * that was known of. Nothing is brought together again with what was separated. Gives the incident that is left. Throws 404;
 * 409 where it is about one monitor only, or was merged into another; 422 for a monitor that has no outage in it.
 */
export const splitIncident = verb({
  resource: "incidents",
  feature: "team",
  action: "write",
  audit: "split incidents",
  input: IncidentSplit,
  output: Incident,
  find: findIncidentMeant,
  async run(ctx, { monitorId }, found) {
    const incident = await lockForChange(ctx, found);
    const members: Member[] = membersOf(incident.affectedServices);
    const ids = [...new Set(members.map((one) => one.monitorId))];
    if (ids.length < 2) throw new PublicError("conflict", fact("incident.not_grouped"));
    if (monitorId !== undefined && !ids.includes(monitorId)) {
      throw invalidInput({ monitorId: [fact("incident.not_in_it")] });
    }
    const leadId = leadOf(members, { before: incident.monitorId, leaving: monitorId });
    const leaving = monitorId === undefined ? ids.filter((id) => id !== leadId) : [monitorId];
    const reasons = await readReasonsOfMonitors(ctx.db, incident.id);
    const isLeaving = new Set(leaving);
    const [left, staying] = partition(members, (one) => isLeaving.has(one.monitorId));
    await separateOutages(ctx, incident, left, reasons);
    await stayApart(
      ctx.db,
      staying.map(({ id }) => id),
      { leadId: leadId ?? null },
    );
    const changed = await changeWhatIsLeft(ctx, incident, { staying, leadId: leadId ?? null, reasons });
    const { organizationId } = incident;
    await noteMonitors(
      ctx.db,
      ids.map((id) => ({ organizationId, monitorId: id })),
      ctx.clock.now(),
    );
    return projectIncident(changed);
  },
});

/** The monitor that speaks for what is left: the one that did, or else the first that is down. */
function leadOf(
  members: readonly Member[],
  { before, leaving }: { before: number | null; leaving: number | undefined },
): number | undefined {
  const staying = members.filter((one) => one.monitorId !== leaving);
  const lead =
    staying.find((one) => one.monitorId === before) ??
    staying.find((one) => one.outageEndedAt === null) ??
    staying[0];
  return lead?.monitorId;
}

const UNACKNOWLEDGED = { acknowledgedAt: null, acknowledgedById: null, acknowledgedVia: null };

/** What is left is about those that stay: it may be over with them, and says so. */
async function changeWhatIsLeft(
  ctx: Running,
  incident: StoredIncident,
  { staying, leadId, reasons }: { staying: readonly Member[]; leadId: number | null; reasons: Reasons },
): Promise<StoredIncident> {
  const { db, clock } = ctx;
  const isShared = new Set(staying.map((one) => one.monitorId)).size > 1;
  const groupedBy = isShared ? incident.groupedBy : null;
  const ends = await readOutageEnds(db, [incident.id]);
  const finished = await resolveFinished(db, { outages: [incident], ends }, clock.now());
  const over = finished.has(incident.id) ? { status: "resolved" as const } : {};
  const words = wordsOfMembers(staying, { leadId, by: groupedBy, reasons });
  const ours = words ? unlessWritten(incident, words) : {};
  const goingOn = staying.filter((one) => one.outageEndedAt === null);
  const isKnown = (goingOn.length > 0 ? goingOn : staying).some((one) => one.acknowledged);
  const change = { ...over, ...ours, ...(isKnown ? {} : UNACKNOWLEDGED) };
  return changeIncident(ctx, incident, { ...change, monitorId: leadId, groupedBy });
}
