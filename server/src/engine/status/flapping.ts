import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import type { Status } from "../../platform/states.ts";
import type { MonitorNotificationEvent, MonitorState, StatusConfig, StatusEvent } from "./state.ts";

const FLAPPING_TRANSITIONS = 4;
const WINDOW_INTERVALS = 10;

const windowMs = (config: StatusConfig): number => WINDOW_INTERVALS * config.intervalMs;

/**
 * Counts one confirmed outage or recovery. The fourth within ten intervals starts flapping, which
 * is notified of once; from then on the open outage is held until the monitor has been stable.
 */
export function noteTransition(
  draft: MonitorState,
  config: StatusConfig,
  now: number,
  events: StatusEvent[],
): void {
  if (config.maintenance) return;
  const recent = draft.recentTransitions.filter((time) => Math.abs(now - time) < windowMs(config));
  draft.recentTransitions = [...recent, now].slice(-FLAPPING_TRANSITIONS);
  if (draft.flapping) {
    draft.flapping = { ...draft.flapping, unstableAt: now };
  } else if (draft.recentTransitions.length === FLAPPING_TRANSITIONS) {
    draft.flapping = { since: now, unstableAt: now };
    const reason = msg("watch.flapping", { count: FLAPPING_TRANSITIONS, checks: WINDOW_INTERVALS });
    events.push({ type: "notification", event: "monitor.flapping", at: now, reason, outageAt: null });
  }
}

/** A failure while the monitor is not down: it is not stable yet. */
export function noteFailure(draft: MonitorState, now: number): void {
  if (draft.flapping && draft.status !== "down") draft.flapping = { ...draft.flapping, unstableAt: now };
}

/** Ends flapping after ten stable intervals; returns since when it was when it just ended. Survives a clock set back. */
export function releaseFlapping(draft: MonitorState, config: StatusConfig, now: number): number | null {
  if (!draft.flapping) return null;
  if (draft.flapping.unstableAt > now) draft.flapping = { ...draft.flapping, unstableAt: now };
  if (now - draft.flapping.unstableAt < windowMs(config)) return null;
  const { since } = draft.flapping;
  draft.flapping = null;
  draft.recentTransitions = [];
  return since;
}

/** One application of the rules under way: the draft of the next state, and what happened so far. */
export interface Step {
  draft: MonitorState;
  config: StatusConfig;
  now: number;
  events: StatusEvent[];
}

/**
 * Changes the status. The history never runs backwards, whatever the clocks of probes and server did. An
 * outage that is not known to be over has lasted since its start, also while it is not watched.
 */
export function changeStatus(
  { draft, now, events }: Step,
  to: Status,
  at: number,
  reason: MessageDescriptor | null,
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

/** Notifies people, and returns whether it does: not during maintenance, nor while flapping, which has had its one notification. */
export function notify(
  step: Step,
  event: MonitorNotificationEvent,
  at: number,
  reason: MessageDescriptor | null,
): boolean {
  if (step.config.maintenance || step.draft.flapping) return false;
  const { outage } = step.draft;
  // One that is offline while its health is critical is announced in the outage that there is.
  const begins = event === "monitor.down" && outage !== null && outage.health !== "also";
  const own = begins && outage.health === "only" ? ({ health: true } as const) : {};
  const outageAt = begins ? outage.startedAt : null;
  step.events.push({ type: "notification", event, at, reason, outageAt, ...own });
  return true;
}
