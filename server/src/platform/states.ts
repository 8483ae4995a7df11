/** Decisions §7, in the order an incident goes through them. */
export const INCIDENT_STATUSES = ["open", "investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const IMPACTS = ["none", "minor", "major", "critical"] as const;
export type Impact = (typeof IMPACTS)[number];

/** The impact shown to visitors for a reported incident, unless one is given. */
export const IMPACT_OF_SEVERITY: Readonly<Record<Severity, Impact>> = {
  low: "minor",
  medium: "minor",
  high: "major",
  critical: "critical",
};

export const INCIDENT_SORTS = ["startedAt", "duration", "severity", "status", "createdAt"] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

/** What engine/status/rules.ts works on. Times are milliseconds since 1970. */
export const STATUSES = ["up", "degraded", "down", "unknown"] as const;

export type Status = (typeof STATUSES)[number];

/** As lists narrow by it and the specification words it: what is degraded works. */
export const shownStatus = (status: Status) => (status === "degraded" ? "up" : status);
