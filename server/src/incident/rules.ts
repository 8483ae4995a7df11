import type { NewIncident } from "../store/queries/automatic-incidents.ts";
import { durationInWords } from "../texts/english.ts";

/** A confirmed outage of one monitor. Times in milliseconds. */
export interface Outage {
  uuid: string;
  monitorId: number;
  organizationId: number;
  monitorName: string;
  severity: NewIncident["severity"];
  startedAt: number;
  detectedAt: number;
  /** Why the checks failed, as a sentence; null when nobody knows. */
  reason: string | null;
}

/** The incident that an outage opens by itself (decisions §7). */
export function incidentOfOutage(outage: Outage): NewIncident {
  return {
    uuid: outage.uuid,
    organizationId: outage.organizationId,
    monitorId: outage.monitorId,
    title: `${outage.monitorName} is down`,
    description: describeOutage(outage),
    status: "open",
    severity: outage.severity,
    impact: "major",
    affectedServices: [{ monitorId: outage.monitorId, name: outage.monitorName }],
    startedAt: outage.startedAt,
    detectedAt: outage.detectedAt,
  };
}

/** What happened, since when, and why, for the incident's description and its first update. */
export function describeOutage(outage: Pick<Outage, "monitorName" | "startedAt" | "reason">): string {
  const why = outage.reason ? ` ${sentence(outage.reason)}` : "";
  return `${outage.monitorName} has not been working since ${clockTime(outage.startedAt)}.${why}`;
}

/** The update that resolves it. `ended`: nobody watches the monitor any more. */
export function describeResolution(outage: {
  monitorName: string;
  startedAt: number;
  at: number;
  cause: "recovered" | "ended";
}): string {
  const duration = durationInWords(outage.at - outage.startedAt);
  return outage.cause === "recovered"
    ? `${outage.monitorName} works again. It was down for ${duration}.`
    : `${outage.monitorName} is no longer monitored, so this incident was closed after ${duration}. Whether it works again is not known.`;
}

/** A time as people read it: `2026-11-21 09:30:00 UTC`. */
export const clockTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** Text that ends like a sentence. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
