import { randomUUIDv7 } from "node:crypto";
import { moveApart, type ShownService } from "../store/queries/affected-services.ts";
import { type IncidentChange, insertIncidents, updateIncidents } from "../store/queries/incident-changes.ts";
import { moveIncidentDeliveries } from "../store/queries/incident-deliveries.ts";
import type { Incident as StoredIncident } from "../store/queries/incidents.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { inSlices } from "../turns.ts";
import type { Running } from "../verb/verb.ts";
import { factOfOther, logUpdates } from "./changed-incident.ts";
import { incidentOfOutage } from "./rules.ts";

/** A monitor's outage in an incident. */
export type Member = ShownService & { monitorId: number; outageStartedAt: number };

/** Why each monitor was found to be down, by its id. */
export type Reasons = ReadonlyMap<number, Fact>;

/** So many are written in one go. */
const SLICE = 50;

/** Gives each of these monitors' outages an incident of their own. Returns its id by the monitor's. */
export async function separateOutages(
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
          said: { ...fact("incident.split_off", { name }), because: factOfOther(from) },
        },
        {
          incident: from,
          said: { ...fact("incident.split", { name }), because: factOfOther(incident) },
        },
      ]),
    );
  });
  await moveIncidentDeliveries(ctx.db, from.id, into);
  return into;
}

/** The incident of one monitor's outages, and whether somebody knows of it. */
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
  // Whoever acknowledged the whole has acknowledged what was going on in it.
  const wasGoingOn = from.acknowledgedAt !== null && (endedAt === null || endedAt >= from.acknowledgedAt);
  const incident = { ...own, status, resolvedAt, impact: from.impact, affectedServices: [] };
  return { name: first.name, isKnown: last.acknowledged && wasGoingOn, incident };
}

const acknowledgementOf = ({
  acknowledgedAt,
  acknowledgedById,
  acknowledgedVia,
}: StoredIncident): IncidentChange => ({ acknowledgedAt, acknowledgedById, acknowledgedVia });
