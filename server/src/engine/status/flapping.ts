import { msg } from "../../platform/i18n/message.ts";
import type { MonitorState, StatusConfig, StatusEvent } from "./state.ts";

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
