import type { Fact } from "../texts/fact.ts";

/** What an `incident` event of the live stream needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  /** The monitor that speaks for it; null: none has been down in it. */
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
}

/** A monitor in an incident that it shares. */
export interface Together {
  /** The monitor that speaks for it: people were told of that. */
  leadId: number;
  leadName: string;
  /** Members beside that one. */
  others: number;
  part: MemberPart;
}

/** What its outage, or the end of that, is among those of the incident. */
export type MemberPart =
  /** It joined after people had been told, or others are still down after it: nothing to tell whoever knows of the others. */
  | { is: "member" }
  /** It joined, and is graver than what people were told of, the first of which has this name. */
  | { is: "graver"; than: string }
  /** It joined as their cause, and leads from now on instead of this one. */
  | { is: "lead"; after: { id: number; name: string } }
  /** With it, all of them are up. */
  | { is: "all-up" };
