import type { Fact } from "../texts/fact.ts";
import type { MonitorState, NoticeEvent, Status, StatusConfig, StatusEvent } from "./state.ts";

/** One application of the rules under way: the draft of the next state, and what happened so far. */
export interface Step {
  draft: MonitorState;
  config: StatusConfig;
  now: number;
  events: StatusEvent[];
}

/**
 * Changes the status. The history never runs backwards, whatever the clocks of probes and server did. An
 * outage that is not known to be over has lasted since its start, also while nobody watches.
 */
export function changeStatus(
  { draft, now, events }: Step,
  to: Status,
  at: number,
  reason: Fact | null,
  location: string | null,
): void {
  const when = Math.max(at, draft.historyAt);
  const detectedAt = Math.max(now, when);
  const isOver = to === "up" || to === "degraded";
  const { outage, flapping } = draft;
  // Critical health is no outage of that kind: what it comes to begins now.
  const since = outage && !outage.health && !isOver && !flapping ? outage.startedAt : when;
  events.push({ type: "transition", from: draft.status, to, at: when, since, detectedAt, reason, location });
  draft.status = to;
  draft.since = since;
  draft.historyAt = when;
  if (to !== "down") draft.suppressed = null;
}

/** Tells people; whether it does: held during maintenance, and while flapping: that has had its one notice. */
export function notify(step: Step, event: NoticeEvent, at: number, reason: Fact | null): boolean {
  if (step.config.maintenance || step.draft.flapping) return false;
  const { outage } = step.draft;
  // One that is offline while its health is critical is told of in the outage that there is.
  const begins = event === "monitor.down" && outage !== null && outage.health !== "also";
  const own = begins && outage.health === "only" ? ({ health: true } as const) : {};
  step.events.push({ type: "notice", event, at, reason, outageAt: begins ? outage.startedAt : null, ...own });
  return true;
}
