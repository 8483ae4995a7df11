import { randomUUIDv7 } from "node:crypto";
import { noteMonitors } from "../monitors/queries/monitor-changes.ts";
import { invalidInput, PublicError } from "../platform/errors.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { partition } from "../platform/lru-cache.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { inSlices } from "../platform/turns.ts";
import { findIncidentMeant, lockForChange } from "./affected.ts";
import { changeIncident, logUpdates, messageOfOther } from "./changed-incident.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import { moveApart, type ShownService, stayApart } from "./queries/affected-services.ts";
import { readOutageEnds } from "./queries/automatic-incidents.ts";
import { readReasonsOfMonitors } from "./queries/evidence.ts";
import { type IncidentChange, insertIncidents, updateIncidents } from "./queries/incident-changes.ts";
import type { Incident as StoredIncident } from "./queries/incidents.ts";
import { resolveFinished } from "./resolve-incident.ts";
import { incidentOfOutage } from "./rules.ts";
import { IncidentSplit } from "./schemas/incident-changes.ts";
import { Incident, projectIncident } from "./schemas/incidents.ts";
import { unlessWritten } from "./title-rules.ts";

/** A monitor's outage in an incident. */
type Member = ShownService & { monitorId: number; outageStartedAt: number };

/** Why each monitor was found to be down, by its id. */
type Reasons = ReadonlyMap<number, MessageDescriptor>;

/** So many are written in one go. */
const SLICE = 50;

/** Gives each of these monitors' outages an incident of their own. Returns its id by the monitor's. */
async function separateOutages(
  ctx: Running,
  from: StoredIncident,
  members: readonly Member[],
  reasons: Reasons,
): Promise<Map<number, number>> {
  const into = new Map<number, number>();
  const groups = [...Map.groupBy(members, ({ monitorId }) => monitorId).values()];
  await inSlices(groups, SLICE, async (some) => {
    const now = ctx.clock.now();
    const made = some.flatMap((outages) => incidentOf(from, outages, reasons) ?? []);
    const ids = await insertIncidents(
      ctx.db,
      made.map(({ incident }) => incident),
      now,
    );
    const apart = made.map(({ incident, ...own }) => {
      return { ...own, incident: { ...incident, id: ids.get(incident.uuid) ?? 0 } };
    });
    for (const { incident } of apart) into.set(incident.monitorId, incident.id);
    const known = apart.filter(({ isKnown }) => isKnown).map(({ incident }) => incident.id);
    await updateIncidents(ctx.db, known, acknowledgementOf(from), now);
    await moveApart(
      ctx.db,
      some.flat().map(({ id, monitorId }) => ({ id, into: into.get(monitorId) ?? 0 })),
    );
    await logUpdates(
      ctx,
      apart.flatMap(({ incident, name }) => [
        {
          incident,
          said: { ...msg("incident.split_off", { name }), because: messageOfOther(from) },
        },
        {
          incident: from,
          said: { ...msg("incident.split", { name }), because: messageOfOther(incident) },
        },
      ]),
    );
  });
  await ctx.incidentNotifier.moveDeliveries(ctx.db, from.id, into);
  return into;
}

/** The incident of one monitor's outages, with its acknowledgement. */
function incidentOf(from: StoredIncident, outages: readonly Member[], reasons: Reasons) {
  const [first] = outages;
  const last = outages.at(-1);
  if (!first || !last) return null;
  const { organizationId, severity } = from;
  const ends = outages.map(({ outageEndedAt }) => outageEndedAt);
  const endedAt = ends.some((end) => end === null) ? null : Math.max(...ends.map(Number));
  const own = incidentOfOutage({
    ...{ uuid: randomUUIDv7(), organizationId, severity, causes: [] },
    reason: reasons.get(first.monitorId) ?? null,
    ...{ monitorId: first.monitorId, monitorName: first.name, startedAt: first.outageStartedAt },
    detectedAt: Math.max(from.detectedAt, first.outageStartedAt),
  });
  const status = endedAt === null ? from.status : "resolved";
  // People may have said that it is over while it goes on.
  const resolvedAt = endedAt ?? (from.resolvedAt && Math.max(from.resolvedAt, first.outageStartedAt));
  // An acknowledgement of the whole covers everything that was going on in it.
  const wasGoingOn = from.acknowledgedAt !== null && (endedAt === null || endedAt >= from.acknowledgedAt);
  const incident = { ...own, status, resolvedAt, impact: from.impact, affectedServices: [] };
  return { name: first.name, isKnown: last.acknowledged && wasGoingOn, incident };
}

const acknowledgementOf = ({
  acknowledgedAt,
  acknowledgedById,
  acknowledgedVia,
}: StoredIncident): IncidentChange => ({ acknowledgedAt, acknowledgedById, acknowledgedVia });

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
    if (ids.length < 2) throw new PublicError("conflict", msg("incident.not_grouped"));
    if (monitorId !== undefined && !ids.includes(monitorId)) {
      throw invalidInput({ monitorId: [msg("incident.not_in_it")] });
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
  const { db, clock, incidentNotifier: notifier } = ctx;
  const isShared = new Set(staying.map((one) => one.monitorId)).size > 1;
  const groupedBy = isShared ? incident.groupedBy : null;
  const ends = await readOutageEnds(db, [incident.id]);
  const finished = await resolveFinished(db, { outages: [incident], ends, notifier }, clock.now());
  const over = finished.has(incident.id) ? { status: "resolved" as const } : {};
  const words = wordsOfMembers(staying, { leadId, by: groupedBy, reasons });
  const ours = words ? unlessWritten(incident, words) : {};
  const goingOn = staying.filter((one) => one.outageEndedAt === null);
  const isKnown = (goingOn.length > 0 ? goingOn : staying).some((one) => one.acknowledged);
  const change = { ...over, ...ours, ...(isKnown ? {} : UNACKNOWLEDGED) };
  return changeIncident(ctx, incident, { ...change, monitorId: leadId, groupedBy });
}
