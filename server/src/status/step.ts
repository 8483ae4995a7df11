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
  const since = draft.outage && !isOver && !draft.flapping ? draft.outage.startedAt : when;
  events.push({ type: "transition", from: draft.status, to, at: when, since, detectedAt, reason, location });
  draft.status = to;
  draft.since = since;
  draft.historyAt = when;
  if (to !== "down") draft.suppressed = null;
}

/** Tells people; whether it does: held during maintenance, and while flapping: that has had its one notice. */
export function notify(step: Step, event: NoticeEvent, at: number, reason: Fact | null): boolean {
  if (step.config.maintenance || step.draft.flapping) return false;
  const outageAt = event === "monitor.down" ? (step.draft.outage?.startedAt ?? null) : null;
  step.events.push({ type: "notice", event, at, reason, outageAt });
  return true;
}
