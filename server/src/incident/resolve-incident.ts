import type { Db } from "../store/db.ts";
import { findOpenAutomatic, resolveIncidents } from "../store/queries/automatic-incidents.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import type { LiveIncident } from "./live-incident.ts";
import { factOfResolution } from "./rules.ts";

/** The end of a monitor's outage. Times in milliseconds. */
export interface OutageEnd {
  monitorId: number;
  monitorName: string;
  startedAt: number;
  at: number;
  detectedAt: number;
  cause: "recovered" | "ended";
}

/** Resolves the open automatic incident of each monitor, with an update that says how long it lasted. */
export async function resolveOutages(
  trx: Db,
  ends: readonly OutageEnd[],
  now: number,
): Promise<LiveIncident[]> {
  if (ends.length === 0) return [];
  const byMonitor = new Map(ends.map((end) => [end.monitorId, end]));
  const resolved: LiveIncident[] = [];
  const updates = [];
  for (const { organizationId, ...incident } of await findOpenAutomatic(trx, [...byMonitor.keys()])) {
    const end = byMonitor.get(incident.monitorId);
    if (!end) continue;
    const resolvedAt = Math.max(end.at, incident.startedAt);
    resolved.push({ ...incident, status: "resolved", resolvedAt, outageAt: end.startedAt });
    const fact = factOfResolution(end);
    const update = { userId: null, status: "resolved", message: inEnglish(fact), fact, at: end.detectedAt };
    updates.push({ organizationId, incidentId: incident.id, ...update });
  }
  await resolveIncidents(
    trx,
    resolved.map(({ id, resolvedAt }) => ({ id, resolvedAt: resolvedAt ?? now })),
    now,
  );
  await insertIncidentUpdates(trx, updates);
  return resolved;
}
