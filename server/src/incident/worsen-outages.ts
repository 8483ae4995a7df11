import type { Db } from "../store/db.ts";
import { lockOpenOutages } from "../store/queries/automatic-incidents.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { insertIncidentUpdates } from "../store/queries/incident-updates.ts";
import { inEnglish } from "../texts/english.ts";
import type { Fact } from "../texts/fact.ts";
import { factOfOutage, wordsOf } from "./rules.ts";
import { titleOfOutage, unlessWritten } from "./title-rules.ts";

/** A device whose health was critical is offline now. Times in milliseconds. */
export interface WorsenedOutage {
  monitorId: number;
  monitorName: string;
  at: number;
  detectedAt: number;
  reason: Fact | null;
}

/** Says in the incidents of these what has become of them: their words were of health. The monitors' states are locked. */
export async function worsenOutages(
  trx: Db,
  worsened: readonly WorsenedOutage[],
  now: number,
): Promise<void> {
  if (worsened.length === 0) return;
  const byMonitor = new Map(worsened.map((one) => [one.monitorId, one]));
  for (const outage of await lockOpenOutages(trx, [...byMonitor.keys()])) {
    const one = byMonitor.get(outage.monitorId);
    if (!one) continue;
    const { monitorName, at: startedAt, detectedAt: at, reason } = one;
    const fact = factOfOutage({ monitorName, startedAt, reason });
    const isOfHealth = outage.fact === null || outage.fact.code === "incident.unhealthy";
    const words = isOfHealth ? unlessWritten(outage, wordsOf(titleOfOutage(monitorName), fact)) : {};
    await updateIncident(trx, outage.id, { ...words, impact: "major" }, now);
    const { organizationId, id: incidentId, status } = outage;
    await insertIncidentUpdates(trx, [
      { organizationId, incidentId, userId: null, status, message: inEnglish(fact), fact, at },
    ]);
  }
}
