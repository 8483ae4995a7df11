import type { Db } from "../store/db.ts";
import { insertAffectedServices } from "../store/queries/affected-services.ts";
import { lockOpenOutages } from "../store/queries/automatic-incidents.ts";
import { insertIncidents } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import type { OutageIncident } from "./live-incident.ts";
import { incidentOfOutage, type Outage } from "./rules.ts";

/**
 * Opens an incident, with its first update, for each outage. Where the monitor has an open outage in one already,
 * nothing is written, and the outage is that one. Returns those it opened. The monitors' states are locked.
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
  const incidents = fresh.map(incidentOfOutage);
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
  return numbered.map(({ id, uuid, monitorId, title, fact, status, severity, startedAt }) => ({
    ...{ id, uuid, monitorId, title, fact, status, severity, startedAt },
    ...{ resolvedAt: null, outageAt: startedAt, outageMs: null },
  }));
}
