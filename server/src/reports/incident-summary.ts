import { SEVERITIES, type Severity } from "../platform/monitor-defaults.ts";
import type { ReportedIncident } from "./queries/reports.ts";

/** Of incidents that began in a period. Milliseconds. */
export interface IncidentSummary {
  incidents: number;
  /** Opened by an outage. */
  automatic: number;
  open: number;
  resolved: number;
  acknowledged: number;
  bySeverity: Record<Severity, number>;
  /** From start to acknowledgement; null without any. */
  mttaMs: number | null;
  /** From start to resolution; null without any. */
  mttrMs: number | null;
  /** Ongoing ones so far; null without any. */
  longestMs: number | null;
}

export interface AffectedMost {
  /** Null where only the name is known. */
  monitorId: number | null;
  name: string;
  incidents: number;
  /** Of all its incidents. */
  durationMs: number;
}

const MAX_WORST = 5;

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of an ongoing one until `now`. */
export const lengthOf = ({ startedAt, resolvedAt }: ReportedIncident, now: number): number =>
  Math.max(0, (resolvedAt ?? now) - startedAt);

export function summarizeIncidents(incidents: readonly ReportedIncident[], now: number): IncidentSummary {
  const bySeverity = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<
    Severity,
    number
  >;
  for (const { severity } of incidents) bySeverity[severity] += 1;
  const resolved = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  const acknowledgements = incidents.flatMap(({ acknowledgedAt, startedAt }) =>
    acknowledgedAt === null ? [] : Math.max(0, acknowledgedAt - startedAt),
  );
  const longest = incidents.reduce((most, incident) => Math.max(most, lengthOf(incident, now)), 0);
  return {
    incidents: incidents.length,
    automatic: incidents.filter(({ automatic }) => automatic).length,
    open: incidents.length - resolved.length,
    resolved: resolved.length,
    acknowledged: acknowledgements.length,
    bySeverity,
    mttaMs: mean(acknowledgements),
    mttrMs: mean(resolved.map((incident) => lengthOf(incident, now))),
    longestMs: incidents.length === 0 ? null : longest,
  };
}

/** Up to five: the most incidents first, then the longest. */
export function affectedMost(incidents: readonly ReportedIncident[], now: number): AffectedMost[] {
  const found = new Map<string, AffectedMost>();
  for (const incident of incidents) {
    for (const { monitorId, name } of incident.affected) {
      const key = monitorId === null ? name : `#${monitorId}`;
      // Newest first: the first name is the present one.
      const known = found.get(key) ?? { monitorId, name, incidents: 0, durationMs: 0 };
      known.incidents += 1;
      known.durationMs += lengthOf(incident, now);
      found.set(key, known);
    }
  }
  return [...found.values()]
    .sort((a, b) => b.incidents - a.incidents || b.durationMs - a.durationMs)
    .slice(0, MAX_WORST);
}
