import type { Impact, Status } from "../../platform/states.ts";
import type { MeasuredStatus, Overall, ShownStatus } from "./public-page.ts";

/** What a component is by what its checks say. */
export const MEASURED_STATUS_OF: Readonly<Record<Status, MeasuredStatus>> = {
  up: "operational",
  degraded: "degraded",
  down: "outage",
  unknown: "unknown",
};

/**
 * The status of a component: a paused monitor is not checked, maintenance hides what is found meanwhile, and a flapping monitor
 * is degraded while it is up.
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

/** From what says least to what is worst. */
const WORSE: readonly ShownStatus[] = [
  "paused",
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "partial_outage",
  "outage",
];

/** The worst of some; `unknown` for none. */
export function worstOf<Shown extends ShownStatus>(statuses: readonly Shown[]): Shown | "unknown" {
  const worst = Math.max(...statuses.map((status) => WORSE.indexOf(status)));
  return statuses.find((status) => status === WORSE[worst]) ?? "unknown";
}

/** What a group of these is; paused ones say nothing. */
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

/** What people say of an incident counts as much as what is measured. */
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

/** What a component is with what people report of it: the worse of what is measured and what they say. */
export function reportedStatus(measured: ShownStatus, impacts: readonly Impact[]): ShownStatus {
  const impactStates = impacts
    .filter((impact) => impact !== "none")
    .map((impact) => COMPONENT_OF_IMPACT[impact]);
  return worstOf([measured, ...impactStates]);
}

/** How a page is doing altogether. `reported`: the impacts of the open incidents that people opened. */
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
