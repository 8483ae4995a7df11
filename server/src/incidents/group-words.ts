import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { type Cause, messageOfGrouping, type OfflineTimes } from "./group-rules.ts";
import { messageOfOutage, wordsOf, wordsOfHealth } from "./rules.ts";
import { type IncidentWords, titleOfFlapping, titleOfOutage, titleOfProblems } from "./title-rules.ts";

/** A monitor's outage in an incident. Times in milliseconds. */
export interface Member {
  monitorId: number;
  name: string;
  outageStartedAt: number;
  outageEndedAt: number | null;
  merged: boolean;
  /** It goes down and comes back again and again, and counts as open meanwhile. */
  flapping?: boolean;
  /** Of a device that reports, and is not healthy: why. */
  healthReason?: MessageDescriptor | null;
  /** When it was offline besides. */
  offline?: OfflineTimes;
}

/** What title and description say of an incident that several monitors share. */
function wordsOfGroup({
  leadId,
  leadName: name,
  others: otherNames,
  startedAt,
  by,
  isMerged,
  is,
}: {
  leadId: number;
  leadName: string;
  others: readonly string[];
  startedAt: number;
  by: Cause | null;
  isMerged: boolean;
  is: "down" | "flapping" | "problems";
}): IncidentWords {
  const others = otherNames.length;
  const named = { name, others, since: new Date(startedAt).toISOString() };
  const because = messageOfGrouping(by, { leadId, others: otherNames, isMerged });
  // Only what joined by itself began together.
  const ofOutages = isMerged || !by ? msg("incident.outages_merged", named) : msg("incident.outages", named);
  const said = {
    down: { title: titleOfOutage(name, others), description: ofOutages },
    flapping: { title: titleOfFlapping(name, others), description: msg("incident.keep_failing", named) },
    problems: { title: titleOfProblems(name, others), description: msg("incident.problems", named) },
  };
  const { title, description } = said[is];
  return wordsOf(title, { ...description, ...(because && { because }) });
}

/** Which members an incident is about, for people and for visitors of status pages alike, and how these are. */
export function membersToName<T extends { flapping?: boolean }>(
  members: readonly T[],
  isOpen: (member: T) => boolean,
): { named: readonly T[]; is: "down" | "flapping" | "over" } {
  const open = members.filter(isOpen);
  const down = open.filter(({ flapping }) => !flapping);
  if (down.length > 0) return { named: down, is: "down" };
  return open.length > 0 ? { named: open, is: "flapping" } : { named: members, is: "over" };
}

/**
 * What they say of these members: of those that are down, else of those that flap, or of all once none is open. Null where there is none. `reasons`: why each
 * monitor was found to be down.
 */
export function wordsOfMembers(
  members: readonly Member[],
  {
    leadId,
    by,
    reasons,
  }: { leadId: number | null; by: Cause | null; reasons: ReadonlyMap<number, MessageDescriptor> },
): IncidentWords | null {
  const { named, is } = membersToName(members, ({ outageEndedAt }) => outageEndedAt === null);
  const lead = named.find(({ monitorId }) => monitorId === leadId) ?? named[0];
  if (!lead) return null;
  const { monitorId, name } = lead;
  const isFlapping = is === "flapping";
  const names = new Map(named.map((one) => [one.monitorId, one.name]));
  names.delete(monitorId);
  const others = [...names.values()];
  const startedAt = Math.min(...named.map(({ outageStartedAt }) => outageStartedAt));
  if (others.length === 0) {
    if (lead.healthReason && lead.outageEndedAt === null)
      return wordsOfHealth(name, lead.healthReason, {
        offline: lead.offline ?? null,
        criticalSince: lead.outageStartedAt,
      });
    const reason = reasons.get(monitorId) ?? null;
    const title = isFlapping ? titleOfFlapping(name) : titleOfOutage(name);
    return wordsOf(title, messageOfOutage({ monitorName: name, startedAt, reason, flapping: isFlapping }));
  }
  const isMerged = named.some(({ merged }) => merged);
  const isOfHealth = named.some((one) => one.healthReason && one.outageEndedAt === null);
  const of = isOfHealth ? "problems" : "down";
  return wordsOfGroup({
    ...{ leadId: monitorId, leadName: name, others, startedAt, by, isMerged },
    is: isFlapping ? "flapping" : of,
  });
}
