import type { Fact } from "../texts/fact.ts";

/** What an `incident` event of the live stream needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  /** The monitor whose outage it is about; null: opened by a person. */
  monitorId: number | null;
  title: string;
  /** What its title says, and its description; null where a person wrote that. */
  titleFact: Fact | null;
  fact: Fact | null;
  status: string;
  severity: string;
  startedAt: number;
  resolvedAt: number | null;
}

/** An incident that an outage has just opened, or that has an outage which has just ended. */
export interface OutageIncident extends LiveIncident {
  monitorId: number;
  /** Start of the outage, as the rules have it. */
  outageAt: number;
  /** How long it was; null: it has just begun. */
  outageMs: number | null;
  /** Where several monitors share the incident: what people are told of them together; null: of each by itself. */
  together: Together | null;
  /** Nobody watches the monitor any more, and what people are told of those that are still down goes on with this one. */
  successorId: number | null;
}

/** A monitor's place in an incident that it shares. */
export interface Together {
  /** The monitor whose outage opened it: people were told of that. */
  leadId: number;
  leadName: string;
  /** Members beside that one. */
  others: number;
  /** It joined after people had been told, or others are still down after it: nothing to tell yet. */
  isQuiet: boolean;
  /** It is told all the same, in the thread of what was told before, the first of which has this name: it is graver, or the cause. Null: it is not. */
  toldAfter: string | null;
  /** The monitor that led until now, and whose threads go on with this one; null: it does not lead, or has done so before. */
  leadsAfter: number | null;
}
