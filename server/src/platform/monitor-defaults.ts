/** Decisions §7, in the order an incident goes through them. */
export const INCIDENT_STATUSES = ["open", "investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The higher the more severe. */
export const rankOfSeverity = (severity: Severity): number => SEVERITIES.indexOf(severity);

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

/** Decisions §3, §6. Imports nothing, so that API schemas and the app's form can use it alone. */
export const MONITOR_DEFAULTS = {
  /** A plan may require more. */
  intervalSeconds: 60,
  timeoutSeconds: 10,
  enabled: true,
  confirmations: 2,
  recoveries: 2,
  recheckDelaySeconds: 2,
  severity: "high",
  description: "",
  objective: 0,
  objectiveDays: 30,
} as const;

/** What is checked: by probing it, or by waiting for its signals. */
export const CHECKED_KINDS = ["domain", "service"] as const;
export type CheckedKind = (typeof CHECKED_KINDS)[number];

/** What is monitored; the agent on a device reports for it. */
export const MONITOR_KINDS = [...CHECKED_KINDS, "device"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** An hour; at most the monitor's own interval as well, as a recheck after the next run would decide nothing. */
export const MAX_RECHECK_DELAY_SECONDS = 3600;

/** What the best plan allows, and a day. */
export const MIN_INTERVAL_SECONDS = 10;
export const MAX_INTERVAL_SECONDS = 86_400;

export const MAX_TIMEOUT_SECONDS = 60;

/** Results in a row that a change of status waits for. */
export const MAX_CONFIRMATIONS = 10;

/** What can be measured within the days of an objective: a minute and a half of ninety days. */
export const MAX_OBJECTIVE = 99.999;
/** A week, so that the shortest span of a burn rate is longer than a minute, and as many days as the app shows. */
export const MIN_OBJECTIVE_DAYS = 7;
export const MAX_OBJECTIVE_DAYS = 90;

/** What it is for and what to do about it: a few paragraphs. */
export const MAX_DESCRIPTION_LENGTH = 2000;

export const MAX_PARENTS = 10;

/** Placeholder for a stored secret that is not shown; sent back, it leaves that value unchanged. */
export const HIDDEN = "********";
