import type { Fact } from "../texts/fact.ts";

/** What an `incident` event of the live stream needs to know; times in milliseconds. */
export interface LiveIncident {
  id: number;
  uuid: string;
  monitorId: number;
  title: string;
  /** What its title and description say. */
  fact: Fact | null;
  status: string;
  severity: string;
  startedAt: number;
  resolvedAt: number | null;
  /** Start of the outage that has just opened or resolved it, as the rules have it. */
  outageAt: number;
}
