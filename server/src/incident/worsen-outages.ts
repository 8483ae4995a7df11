import type { Db } from "../store/db.ts";
import { lockOpenOutages } from "../store/queries/automatic-incidents.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import type { Fact } from "../texts/fact.ts";
import type { OutageIncident } from "./live-incident.ts";
import { factOfOutage, IMPACT_OF_HEALTH, IMPACT_OF_OUTAGE, wordsOf } from "./rules.ts";
import { titleOfOutage, unlessWritten } from "./title-rules.ts";

/** A device whose health was critical is offline now. Times in milliseconds. */
export interface WorsenedOutage {
  monitorId: number;
  monitorName: string;
  at: number;
  detectedAt: number;
  reason: Fact | null;
}

/**
 * Says in the incidents of these what has become of them: their words were of health. The monitors' states are locked. Returns
 * the incidents as they are now.
 */
export async function worsenOutages(
  trx: Db,
  worsened: readonly WorsenedOutage[],
  now: number,
): Promise<OutageIncident[]> {
  const incidents: OutageIncident[] = [];
  if (worsened.length === 0) return incidents;
  const byMonitor = new Map(worsened.map((one) => [one.monitorId, one]));
  for (const outage of await lockOpenOutages(trx, [...byMonitor.keys()])) {
    const one = byMonitor.get(outage.monitorId);
    if (!one) continue;
    const { monitorName, at: startedAt, detectedAt: at, reason } = one;
    const fact = factOfOutage({ monitorName, startedAt, reason });
    const isOfHealth = outage.fact === null || outage.fact.code === "incident.unhealthy";
    const words = isOfHealth ? unlessWritten(outage, wordsOf(titleOfOutage(monitorName), fact)) : {};
    // What it began with; a person chose any other.
    const impact = outage.impact === IMPACT_OF_HEALTH ? IMPACT_OF_OUTAGE : outage.impact;
    await updateIncident(trx, outage.id, { ...words, impact }, now);
    const { organizationId, id: incidentId, status, uuid, severity, resolvedAt } = outage;
    await insertIncidentUpdates(trx, [
      { organizationId, incidentId, userId: null, status, message: inEnglish(fact), fact, at },
    ]);
    const { title, titleFact, fact: told } = { ...outage, ...words };
    incidents.push({
      ...{ id: incidentId, uuid, monitorId: outage.monitorId, title, titleFact, fact: told },
      ...{ status, severity, startedAt: outage.startedAt, resolvedAt, together: null },
      ...{ outageAt: outage.outageStartedAt, outageMs: null },
    });
  }
  return incidents;
}
