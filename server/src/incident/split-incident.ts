import { randomUUIDv7 } from "node:crypto";
import { invalidInput, PublicError } from "../errors.ts";
import { moveAffectedServices, stayApart } from "../store/queries/affected-services.ts";
import { readOutageEnds } from "../store/queries/automatic-incidents.ts";
import { type IncidentChange, insertIncidents, updateIncident } from "../store/queries/incident-changes.ts";
import { moveIncidentDeliveries } from "../store/queries/incident-deliveries.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { readReasonsOfMonitors } from "../store/queries/outage-reasons.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { type Running, verb } from "../verb/verb.ts";
import { IncidentSplit } from "../wire/incident-input.ts";
import { Incident, projectIncident } from "../wire/incidents.ts";
import { changeIncident, factOfOther, logUpdate } from "./changed-incident.ts";
import { findIncidentMeant, lockForChange } from "./find-incident.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import { resolveFinished } from "./resolve-incident.ts";
import { incidentOfOutage } from "./rules.ts";
import { type Member, type SeparatedPart, tellSeparated } from "./tell-separated.ts";
import { unlessWritten } from "./title-rules.ts";

/** Why each monitor was found to be down, by its id. */
type Reasons = ReadonlyMap<number, Fact>;

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
    const parts: SeparatedPart[] = [];
    for (const id of leaving) {
      const outages = members.filter((one) => one.monitorId === id);
      parts.push(...(await separate(ctx, incident, outages, reasons)));
    }
    const staying = members.filter((one) => !leaving.includes(one.monitorId));
    await stayApart(
      ctx.db,
      staying.map(({ id }) => id),
      { leadId: leadId ?? null },
    );
    parts.push({ members: staying, leadId: leadId ?? null, into: incident.id });
    await tellSeparated(ctx, incident, parts);
    const left = { staying, leadId: leadId ?? null, reasons };
    return projectIncident(await changeWhatIsLeft(ctx, incident, left));
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

/** One monitor's outages, in an incident of their own. */
async function separate(
  ctx: Running,
  from: StoredIncident,
  outages: readonly Member[],
  reasons: Reasons,
): Promise<SeparatedPart[]> {
  const [first] = outages;
  const last = outages.at(-1);
  if (!first || !last) return [];
  const now = ctx.clock.now();
  const { organizationId, severity } = from;
  const ends = outages.map(({ outageEndedAt }) => outageEndedAt);
  const endedAt = ends.some((end) => end === null) ? null : Math.max(...ends.map(Number));
  const { affectedServices: _, ...own } = incidentOfOutage({
    ...{ uuid: randomUUIDv7(), organizationId, severity, causes: [] },
    reason: reasons.get(first.monitorId) ?? null,
    ...{ monitorId: first.monitorId, monitorName: first.name, startedAt: first.outageStartedAt },
    detectedAt: Math.max(from.detectedAt, first.outageStartedAt),
  });
  const status = endedAt === null ? from.status : "resolved";
  // People may have said that it is over while it goes on.
  const resolvedAt = endedAt ?? (from.resolvedAt && Math.max(from.resolvedAt, first.outageStartedAt));
  const made = { ...own, status, resolvedAt, impact: from.impact, affectedServices: [] };
  const id = (await insertIncidents(ctx.db, [made], now)).get(own.uuid) ?? 0;
  if (last.acknowledged) {
    await updateIncident(ctx.db, id, acknowledgementOf(from, endedAt), now);
  }
  const rows = outages.map((one) => one.id);
  await moveAffectedServices(ctx.db, rows, { into: id, merged: false });
  await moveIncidentDeliveries(ctx.db, { from: from.id, into: id, monitorId: first.monitorId });
  await stayApart(ctx.db, rows, { leadId: first.monitorId });
  const { name } = first;
  const apart = { ...made, id };
  await logUpdate(ctx, apart, { ...fact("incident.split_off", { name }), because: factOfOther(from) });
  await logUpdate(ctx, from, { ...fact("incident.split", { name }), because: factOfOther(apart) });
  return [{ members: outages, leadId: first.monitorId, into: id }];
}

/** Whoever acknowledged the whole has acknowledged what was going on in it. */
const acknowledgementOf = (
  { acknowledgedAt, acknowledgedById, acknowledgedVia }: StoredIncident,
  endedAt: number | null,
): IncidentChange =>
  acknowledgedAt === null || (endedAt !== null && endedAt < acknowledgedAt)
    ? {}
    : { acknowledgedAt, acknowledgedById, acknowledgedVia };

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
