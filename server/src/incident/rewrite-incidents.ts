import type { Db } from "../store/db.ts";
import { readAffectedServices } from "../store/queries/affected-services.ts";
import type { OpenOutage } from "../store/queries/automatic-incidents.ts";
import { readReasonsOfMonitors } from "../store/queries/evidence.ts";
import { updateIncident } from "../store/queries/incident-changes.ts";
import { membersOf } from "./group-rules.ts";
import { wordsOfMembers } from "./group-words.ts";
import { type IncidentWords, unlessWritten } from "./title-rules.ts";

/**
 * Writes title and description of the incidents that have these outages, by what is down in them now; what a person wrote
 * stays. The incidents are locked. Returns the words that changed, by the incident's id.
 */
export async function rewriteIncidents(
  trx: Db,
  outages: readonly OpenOutage[],
  now: number,
): Promise<Map<number, Partial<IncidentWords>>> {
  const byIncident = new Map(outages.map((outage) => [outage.id, outage]));
  const changed = new Map<number, Partial<IncidentWords>>();
  if (byIncident.size === 0) return changed;
  const affected = await readAffectedServices(trx, [...byIncident.keys()]);
  for (const [id, outage] of byIncident) {
    const { leadId, groupedBy: by } = outage;
    const reasons = await readReasonsOfMonitors(trx, id);
    const words = wordsOfMembers(membersOf(affected.get(id) ?? []), { leadId, by, reasons });
    const ours = words ? unlessWritten(outage, words) : {};
    await updateIncident(trx, id, ours, now);
    changed.set(id, ours);
  }
  return changed;
}
