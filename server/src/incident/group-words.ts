import { type Fact, fact } from "../texts/fact.ts";
import { type Cause, factOfGrouping } from "./group-rules.ts";
import { factOfOutage, wordsOf } from "./rules.ts";
import { type IncidentWords, titleOfOutage } from "./title-rules.ts";

/** A monitor's outage in an incident. Times in milliseconds. */
export interface Member {
  monitorId: number;
  name: string;
  outageStartedAt: number;
  outageEndedAt: number | null;
  merged: boolean;
}

/** What title and description say of an incident that several monitors share. */
function wordsOfGroup({
  leadId,
  leadName: name,
  others,
  startedAt,
  by,
  isMerged,
}: {
  leadId: number;
  leadName: string;
  others: number;
  startedAt: number;
  by: Cause | null;
  isMerged: boolean;
}): IncidentWords {
  const told = { name, others, since: new Date(startedAt).toISOString() };
  const because = factOfGrouping(by, { leadId, isMerged });
  const whole: Fact = {
    // Only what joined by itself began together.
    ...(isMerged || !by ? fact("incident.outages_merged", told) : fact("incident.outages", told)),
    ...(because && { because }),
  };
  return wordsOf(titleOfOutage(name, others), whole);
}

/**
 * What they say of these members: of those that are down, or of all once none is. Null where there is none. `reasons`: why each
 * monitor was found to be down.
 */
export function wordsOfMembers(
  members: readonly Member[],
  { leadId, by, reasons }: { leadId: number | null; by: Cause | null; reasons: ReadonlyMap<number, Fact> },
): IncidentWords | null {
  const down = members.filter(({ outageEndedAt }) => outageEndedAt === null);
  const told = down.length > 0 ? down : members;
  const lead = told.find(({ monitorId }) => monitorId === leadId) ?? told[0];
  if (!lead) return null;
  const { monitorId, name } = lead;
  const others = new Set(told.map((one) => one.monitorId)).size - 1;
  const startedAt = Math.min(...told.map(({ outageStartedAt }) => outageStartedAt));
  if (others === 0) {
    const reason = reasons.get(monitorId) ?? null;
    return wordsOf(titleOfOutage(name), factOfOutage({ monitorName: name, startedAt, reason }));
  }
  const isMerged = told.some(({ merged }) => merged);
  return wordsOfGroup({ leadId: monitorId, leadName: name, others, startedAt, by, isMerged });
}
