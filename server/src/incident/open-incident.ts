import type { Db } from "../store/db.ts";
import { insertAffectedServices } from "../store/queries/affected-services.ts";
import { findOpenAutomatic, insertAutomaticIncidents } from "../store/queries/automatic-incidents.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import type { LiveIncident } from "./live-incident.ts";
import { incidentOfOutage, type Outage } from "./rules.ts";

/**
 * Opens an incident, with its first update, for each outage: at most one a monitor. Where one is
 * open already nothing is written, and the outage belongs to that one. Returns those it opened.
 */
export async function openIncidents(
  trx: Db,
  outages: readonly Outage[],
  now: number,
): Promise<LiveIncident[]> {
  if (outages.length === 0) return [];
  const incidents = new Map(outages.map((outage) => [outage.uuid, incidentOfOutage(outage)]));
  await insertAutomaticIncidents(trx, [...incidents.values()], now);
  const monitorIds = outages.map((outage) => outage.monitorId);
  const opened: LiveIncident[] = [];
  const affected = [];
  const updates = [];
  for (const { id, uuid, organizationId, monitorId } of await findOpenAutomatic(trx, monitorIds)) {
    const incident = incidents.get(uuid);
    if (!incident) continue;
    const { title, status, severity, startedAt, description, fact, detectedAt, affectedServices } = incident;
    opened.push({
      id,
      uuid,
      monitorId,
      title,
      fact,
      status,
      severity,
      startedAt,
      resolvedAt: null,
      outageAt: startedAt,
    });
    affected.push({ id, organizationId, affectedServices });
    const update = { userId: null, status, message: description, fact, at: detectedAt };
    updates.push({ organizationId, incidentId: id, ...update });
  }
  await insertAffectedServices(trx, affected);
  await insertIncidentUpdates(trx, updates);
  return opened;
}
