import type { NewIncident } from "../store/queries/incident-changes.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { Cause } from "./group-rules.ts";
import { type IncidentWords, titleOfOutage } from "./title-rules.ts";

/** A confirmed outage of one monitor. Times in milliseconds. */
export interface Outage {
  uuid: string;
  monitorId: number;
  organizationId: number;
  monitorName: string;
  severity: NewIncident["severity"];
  startedAt: number;
  detectedAt: number;
  /** Why the checks failed; null when nobody knows. */
  reason: Fact | null;
  /** What it may come from. */
  causes: readonly Cause[];
}

/** The incident that an outage opens by itself (decisions §7). */
export function incidentOfOutage(outage: Outage): NewIncident & { monitorId: number } {
  return {
    uuid: outage.uuid,
    organizationId: outage.organizationId,
    monitorId: outage.monitorId,
    ...wordsOf(titleOfOutage(outage.monitorName), factOfOutage(outage)),
    status: "open",
    severity: outage.severity,
    impact: "major",
    automatic: true,
    affectedServices: [
      {
        ...{ monitorId: outage.monitorId, name: outage.monitorName },
        ...{ outageStartedAt: outage.startedAt, causes: outage.causes },
      },
    ],
    startedAt: outage.startedAt,
    detectedAt: outage.detectedAt,
    resolvedAt: null,
  };
}

/** What an incident says: of its title, and of its description. */
export const wordsOf = (title: Fact, description: Fact): IncidentWords => ({
  ...{ title: inEnglish(title), titleFact: title },
  ...{ description: inEnglish(description), fact: description },
});

/** What happened, since when, and why, for the incident's description and its first update. */
export function factOfOutage({
  monitorName: name,
  startedAt,
  reason,
}: Pick<Outage, "monitorName" | "startedAt" | "reason">): Fact {
  const since = new Date(startedAt).toISOString();
  return { ...fact("incident.outage", { name, since }), ...(reason && { because: reason }) };
}

/** What the update says that resolves it. `ended`: nobody watches the monitor any more. */
export function factOfResolution(outage: {
  monitorName: string;
  startedAt: number;
  at: number;
  cause: "recovered" | "ended";
}): Fact {
  const lasted = { name: outage.monitorName, lasted: outage.at - outage.startedAt };
  return fact(outage.cause === "recovered" ? "incident.recovered" : "incident.unwatched", lasted);
}
