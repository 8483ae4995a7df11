import type { Impact } from "../../incident/states.ts";
import type { Status } from "../../status/state.ts";
import type { ComponentStatus, GroupStatus, Overall } from "./public-page.ts";

/** What visitors are told of each confirmed status. */
export const SHOWN_STATUS: Readonly<Record<Status, ComponentStatus>> = {
  up: "operational",
  degraded: "degraded",
  down: "outage",
  unknown: "unknown",
};

/** What a component is: nobody looks where its monitor is paused, and maintenance says more than what is found meanwhile. */
export function componentStatus(monitor: {
  status: Status;
  enabled: boolean;
  isMaintained: boolean;
}): ComponentStatus {
  if (!monitor.enabled) return "paused";
  return monitor.isMaintained ? "maintenance" : SHOWN_STATUS[monitor.status];
}

/** From what says least to what is worst. */
const WORSE: readonly ComponentStatus[] = [
  "paused",
  "unknown",
  "operational",
  "maintenance",
  "degraded",
  "outage",
];

/** The worst of some; `unknown` for none. */
export function worstOf(statuses: readonly ComponentStatus[]): ComponentStatus {
  const worst = Math.max(...statuses.map((status) => WORSE.indexOf(status)));
  return WORSE[worst] ?? "unknown";
}

/** What a group of these is; paused ones say nothing. */
export function groupStatus(components: readonly ComponentStatus[]): GroupStatus {
  const worst = worstOf(components);
  return worst === "outage" && !areAllOut(components) ? "partial_outage" : worst;
}

const areAllOut = (components: readonly ComponentStatus[]): boolean =>
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

/** How a page is doing altogether. `reported`: the impacts of the open incidents that people opened. */
export function overallOf(components: readonly ComponentStatus[], reported: readonly Impact[]): Overall {
  const all = [overallOfComponents(components), ...reported.map((impact) => OF_IMPACT[impact])];
  return all.reduce((a, b) => (WORST_OVERALL.indexOf(b) > WORST_OVERALL.indexOf(a) ? b : a));
}

function overallOfComponents(components: readonly ComponentStatus[]): Overall {
  const worst = worstOf(components);
  if (worst === "paused") return "unknown";
  if (worst !== "outage") return worst;
  return areAllOut(components) ? "major_outage" : "partial_outage";
}
