import { fact } from "../texts/fact.ts";
import type { MonitorState } from "./state.ts";
import { changeStatus, type Step } from "./step.ts";

/**
 * A maintenance window began or ended: the history gets a row of the same status, so that uptime
 * can leave the window out. At its end the failures seen inside it are forgotten, and only a fresh
 * confirmation may open an outage; one that was told before the window goes on.
 */
export function crossMaintenance(step: Step): void {
  const { draft, config } = step;
  draft.maintenance = config.maintenance;
  const { status, since } = draft;
  const to = !config.maintenance && status === "down" && !draft.outage ? "unknown" : status;
  const reason = fact(config.maintenance ? "watch.maintenance_began" : "watch.maintenance_ended");
  if (status !== "unknown") changeStatus(step, to, step.now, reason, null);
  if (to === status) draft.since = since;
  if (!config.maintenance && !draft.outage) forgetFailures(draft);
}

function forgetFailures(draft: MonitorState): void {
  for (const [code, location] of Object.entries(draft.locations)) {
    if (location.failures === 0 && location.confirmed !== "failing") continue;
    draft.locations[code] = { ...location, vote: "suspect", confirmed: null, failures: 0, successes: 0 };
  }
}
