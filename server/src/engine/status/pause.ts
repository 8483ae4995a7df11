import { msg } from "../../platform/i18n/message.ts";
import {
  type Applied,
  changeStatus,
  initialState,
  type MonitorState,
  type StatusEvent,
  type Step,
} from "./state.ts";

/** Why a monitor is no longer watched as it was. */
export type StopReason = "paused" | "deleted" | "changed";

/**
 * Watching stopped (the monitor was paused or deleted, or its kind changed): unknown from now on. An open outage
 * ends with it, since nothing could close it any more; no one is notified that the monitor is up.
 */
export function pauseState(state: MonitorState, now: number, reason: StopReason): Applied {
  const events: StatusEvent[] = [];
  const at = Math.max(now, state.historyAt);
  const why = msg(`watch.${reason}`);
  if (state.status !== "unknown") {
    const { status: from } = state;
    events.push({
      type: "transition",
      from,
      to: "unknown",
      at,
      since: at,
      detectedAt: at,
      reason: why,
      location: null,
    });
  }
  if (state.outage) {
    const { startedAt, health } = state.outage;
    const ended = { startedAt, at, detectedAt: at, cause: "ended", ...(health && { health }) } as const;
    events.push({ type: "outage_closed", ...ended });
  }
  if (state.outage || state.degradationNotified || state.stopNotified) {
    events.push({ type: "watch_ended", at, reason: why });
  }
  // The outage ends here, so that it is no longer its start.
  const unknownSince = state.outage ? state.historyAt : state.since;
  const since = state.status === "unknown" ? unknownSince : at;
  const { targetRevision } = state;
  return { state: { ...initialState(at), since, historyAt: at, targetRevision, watchedSince: null }, events };
}

/** Watched again: still unknown, until the first result of this revision (or, where it carries none, from now on). */
export function resumeState(state: MonitorState, revision: number, now: number): MonitorState {
  const { since, historyAt, targetRevision } = state;
  return {
    ...initialState(now),
    since,
    historyAt,
    targetRevision,
    watchedSince: now,
    watchedRevision: revision,
  };
}

/**
 * A maintenance window began or ended: the history gets a row of the same status, so that uptime
 * can leave the window out. At its end the failures seen inside it are forgotten, and only a fresh
 * confirmation may open an outage; one that was announced before the window goes on.
 */
export function crossMaintenance(step: Step): void {
  const { draft, config } = step;
  draft.maintenance = config.maintenance;
  const { status, since } = draft;
  const to = !config.maintenance && status === "down" && !draft.outage ? "unknown" : status;
  const reason = msg(config.maintenance ? "watch.maintenance_began" : "watch.maintenance_ended");
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
