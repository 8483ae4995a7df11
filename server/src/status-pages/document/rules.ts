import type { Impact, Status } from "../../platform/states.ts";
import type { MeasuredStatus, Overall, ShownStatus } from "./public-page.ts";

export const MEASURED_STATUS_OF: Readonly<Record<Status, MeasuredStatus>> = {
  up: "operational",
  degraded: "degraded",
  down: "outage",
  unknown: "unknown",
};

/**
 * A paused monitor is not checked, maintenance hides its findings, and a flapping monitor is degraded while
 * it is up.
 */
export function componentStatus(monitor: {
  status: Status;
  enabled: boolean;
  flapping: boolean;
  isMaintained: boolean;
}): MeasuredStatus {
  if (!monitor.enabled) return "paused";
  if (monitor.isMaintained) return "maintenance";
  return monitor.flapping && monitor.status === "up" ? "degraded" : MEASURED_STATUS_OF[monitor.status];
}

/** Ascending. */
const WORSE: readonly ShownStatus[] = [
  "paused",
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "outage",
];

/** `unknown` for none. */
export function worstOf<Shown extends ShownStatus>(statuses: readonly Shown[]): Shown | "unknown" {
  const worst = Math.max(...statuses.map((status) => WORSE.indexOf(status)));
  return statuses.find((status) => status === WORSE[worst]) ?? "unknown";
}

/** Paused components do not count. */
export function groupStatus(components: readonly ShownStatus[]): ShownStatus {
  const worst = worstOf(components);
  return worst === "outage" && !areAllOut(components) ? "partial_outage" : worst;
}

const areAllOut = (components: readonly ShownStatus[]): boolean =>
  components.every((status) => status === "outage" || status === "paused");

const WORST_OVERALL: readonly Overall[] = [
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "major_outage",
];

/** Reported impacts count as much as measurements. */
const OF_IMPACT: Readonly<Record<Impact, Overall>> = {
  none: "unknown",
  minor: "degraded",
  major: "partial_outage",
  critical: "major_outage",
};

const COMPONENT_OF_IMPACT: Readonly<Record<Impact, ShownStatus>> = {
  none: "unknown",
  minor: "degraded",
  major: "partial_outage",
  critical: "outage",
};

/** The worse of both. */
export function reportedStatus(measured: ShownStatus, impacts: readonly Impact[]): ShownStatus {
  const impactStates = impacts
    .filter((impact) => impact !== "none")
    .map((impact) => COMPONENT_OF_IMPACT[impact]);
  return worstOf([measured, ...impactStates]);
}

/** `reported`: the impacts of open incidents that people opened. */
export function overallOf(components: readonly MeasuredStatus[], reported: readonly Impact[]): Overall {
  const all = [overallOfComponents(components), ...reported.map((impact) => OF_IMPACT[impact])];
  return all.reduce((a, b) => (WORST_OVERALL.indexOf(b) > WORST_OVERALL.indexOf(a) ? b : a));
}

function overallOfComponents(components: readonly MeasuredStatus[]): Overall {
  const worst = worstOf(components);
  if (worst === "paused") return "unknown";
  if (worst !== "outage") return worst;
  return areAllOut(components) ? "major_outage" : "partial_outage";
}
