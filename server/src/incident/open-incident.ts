import type { Db } from "../store/db.ts";
import { insertAffectedServices } from "../store/queries/affected-services.ts";
import { lockOpenOutages } from "../store/queries/automatic-incidents.ts";
import { insertIncidents, lockIncidents } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { listOpenGroups, type OpenGroup } from "../store/queries/open-groups.ts";
import { FOLLOW_WINDOW_MS, GROUP_WINDOW_MS, type Placed, placeOutages } from "./group-rules.ts";
import { joinIncidents } from "./join-incidents.ts";
import type { OutageIncident } from "./live-incident.ts";
import { incidentOfOutage, type Outage } from "./rules.ts";

/**
 * Opens an incident, with its first update, for each outage, or joins it to one that is open for the same cause. Where the
 * monitor has an open outage in one already, nothing is written, and the outage is that one. Returns those it opened or
 * joined. The monitors' states are locked, and grouping is (lockGrouping).
 */
export async function openIncidents(
  trx: Db,
  outages: readonly Outage[],
  now: number,
): Promise<OutageIncident[]> {
  if (outages.length === 0) return [];
  const monitorIds = outages.map((outage) => outage.monitorId);
  const known = new Set((await lockOpenOutages(trx, monitorIds)).map(({ monitorId }) => monitorId));
  const fresh = outages.filter(({ monitorId }) => !known.has(monitorId));
  if (fresh.length === 0) return [];
  const placed = await placeLocked(trx, fresh);
  const leading = placed.filter(({ group }) => group === null);
  const opened = await openEach(
    trx,
    leading.map(({ outage }) => outage),
    now,
  );
  return [...opened, ...(await joinIncidents(trx, placed, opened, now))];
}

/** Places outages among the open incidents, and locks those that they join. While it waits for one, people may change it. */
async function placeLocked(trx: Db, outages: readonly Outage[]): Promise<Placed<OpenGroup, Outage>[]> {
  const organizationIds = [...new Set(outages.map(({ organizationId }) => organizationId))];
  const windowMs = outages.some(({ follows }) => follows) ? FOLLOW_WINDOW_MS : GROUP_WINDOW_MS;
  const isLater = outages.some(({ follows, watchedSince }) => follows && watchedSince !== undefined);
  const since = isLater ? 0 : Math.min(...outages.map(({ startedAt }) => startedAt)) - windowMs;
  for (const locked = new Set<number>(); ; ) {
    const placed = placeOutages(await listOpenGroups(trx, { organizationIds, since }), outages);
    const more = placed.flatMap(({ group }) =>
      group && "id" in group && !locked.has(group.id) ? group.id : [],
    );
    if (more.length === 0) return placed;
    await lockIncidents(trx, [...new Set(more)]);
    for (const id of more) locked.add(id);
  }
}

async function openEach(trx: Db, outages: readonly Outage[], now: number): Promise<OutageIncident[]> {
  if (outages.length === 0) return [];
  const incidents = outages.map(incidentOfOutage);
  const ids = await insertIncidents(trx, incidents, now);
  const numbered = incidents.map((incident) => ({ ...incident, id: ids.get(incident.uuid) ?? 0 }));
  await insertAffectedServices(trx, numbered);
  await insertIncidentUpdates(
    trx,
    numbered.map(
      ({ id: incidentId, organizationId, status, description: message, fact, detectedAt: at }) => ({
        ...{ organizationId, incidentId, userId: null },
        ...{ status, message, fact, at },
      }),
    ),
  );
  return numbered.map(({ id, uuid, monitorId, title, titleFact, fact, status, severity, startedAt }) => ({
    ...{ id, uuid, monitorId, title, titleFact, fact, status, severity, startedAt },
    ...{ resolvedAt: null, outageAt: startedAt, outageMs: null, together: null },
  }));
}
