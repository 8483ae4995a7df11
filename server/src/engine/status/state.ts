import type { Outcome } from "../../checks/outcome.ts";
import { isFromWrongClock } from "../../platform/clock.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { Status } from "../../platform/monitor-defaults.ts";

export type Vote = "ok" | "suspect" | "failing" | "recovering" | "stale";

export interface LocationState {
  vote: Vote;
  /** The vote that was confirmed last. What `suspect` counts as, and what `recovering` comes from. */
  confirmed: "ok" | "failing" | null;
  /** Consecutive failures / successes at this location. */
  failures: number;
  successes: number;
  /** Consecutive slow successes; the newest success was slow when above 0. */
  slows: number;
  /** The newest result's scheduled time. */
  lastAt: number;
  /** Start of the present run of failures, or of successes. */
  runSince: number;
  /** The result that began the last series of rechecks here, by its time; 0: none did. */
  recheckAt: number;
  /** Why the newest result was not ok. */
  reason: MessageDescriptor | null;
}

export interface MonitorState {
  status: Status;
  /** When the status became true; while down or unknown, the start of the open outage, except in flapping. */
  since: number;
  /** Time of the newest row of the status history, 0 without one: the next one is never before it. */
  historyAt: number;
  /** The revision that brought the present target: results of an earlier one are about something else. */
  targetRevision: number;
  /** Results scheduled before this never vote (set when the monitor is resumed); null: paused, none do. */
  watchedSince: number | null;
  /** The revision that it was resumed with: of results that carry theirs it decides, not the time. 0: never paused. */
  watchedRevision: number;
  locations: Record<string, LocationState>;
  /** The open outage. It outlives `down` while flapping and while monitoring has stopped. */
  outage: OpenOutage | null;
  /** Detection times of the latest confirmed outages and recoveries, for flapping. */
  recentTransitions: number[];
  /** Set while flapping: start, and the time of the last transition, or failure while up. */
  flapping: { since: number; unstableAt: number } | null;
  /** Whether a maintenance window was running when the rules were applied last. */
  maintenance: boolean;
  /** Whether people were notified that the monitor is degraded, so that its end is announced too. */
  degradationNotified: boolean;
  /** Of a device whose health is critical: whether people notified that it is offline know that it is back, and no better. */
  criticalNotified: boolean;
  /** Whether they were notified that monitoring stopped; an open outage announces its own end. */
  stopNotified: boolean;
  /** Set while it is down behind another monitor: it has no outage, and no one is notified. */
  suppressed: Suppressed | null;
}

/** What has an incident. Milliseconds. */
export interface OpenOutage {
  startedAt: number;
  detectedAt: number;
  /**
   * Of a device whose health is critical: that is all there is to it, or it has been offline as well since. Such an outage is over
   * when the device is well. Absent: it is down, and over when it is not.
   */
  health?: "only" | "also";
}

/** Behind which monitor something is down; `until`: it fails, unconfirmed, and is waited for until then. Null: it is down. */
interface Suppressed {
  by: number;
  until: number | null;
}

/** A parent that is down, or that fails and may be about to: then `waitMs` is how long to wait for what it comes to. */
export interface Behind {
  by: number;
  name: string;
  waitMs: number | null;
}

/** The part of a monitor's settings that the rules need. */
export interface StatusConfig {
  intervalMs: number;
  timeoutMs: number;
  /** Failures in a row that make a location failing, 1…10. */
  confirmations: number;
  /** Successes in a row that make it ok again, 1…10. */
  recoveries: number;
  /** Locations that have to fail for an outage; absent: more than half of those that report. For what-ifs only. */
  quorum?: number;
  maintenance: boolean;
  /** What holds it back; looked up only where it matters. */
  behind?: Behind;
}

/** The part of a result that the rules need. */
export interface StatusResult {
  location: string;
  /** The schedule's time of the check. */
  at: number;
  /** Of the monitor as it was checked; absent where the probe did not send it. */
  revision?: number | undefined;
  verdict: Outcome;
  reason: MessageDescriptor | null;
}

/** What people are notified of about a monitor. */
export const MONITOR_NOTIFICATIONS = [
  "monitor.down",
  "monitor.up",
  "monitor.degraded",
  "monitor.flapping",
  "monitor.settled",
  "monitor.stopped",
] as const;
export type MonitorNotificationEvent = (typeof MONITOR_NOTIFICATIONS)[number];

/** `from` equals `to` where a maintenance window began or ended: the history needs the boundary. */
export interface Transition {
  type: "transition";
  from: Status;
  to: Status;
  at: number;
  /** As the state has it from now on: the start of an outage that was open all the while, else `at`. */
  since: number;
  detectedAt: number;
  reason: MessageDescriptor | null;
  location: string | null;
}

export type StatusEvent =
  | Transition
  /** One extra check at this location, spaced by the probe. */
  | { type: "recheck"; location: string }
  | {
      type: "outage_opened";
      startedAt: number;
      detectedAt: number;
      reason: MessageDescriptor | null;
      health?: "only";
    }
  | {
      type: "outage_closed";
      startedAt: number;
      at: number;
      detectedAt: number;
      cause: "recovered" | "ended";
      health?: "only" | "also";
    }
  /** Of one that is open, and was about critical health: the device is offline since `at`. */
  | { type: "outage_worsened"; at: number; detectedAt: number; reason: MessageDescriptor | null }
  | HealthChange
  | MonitorNotification
  | WatchEnded;

/** Of an outage that is about critical health: the device reports, and what is wrong with it is no longer what the last report said. */
export interface HealthChange {
  type: "health_changed";
  at: number;
  detectedAt: number;
  reason: MessageDescriptor | null;
  /** It was offline until now. */
  returned: boolean;
  /** The most severe causes are as they were: less severe ones came or went. */
  isMinor: boolean;
}

/** It is no longer watched, and people were notified of a problem whose end is no longer observed. */
export interface WatchEnded {
  type: "watch_ended";
  at: number;
  reason: MessageDescriptor;
}

/** What people are to be notified of. */
export interface MonitorNotification {
  type: "notification";
  event: MonitorNotificationEvent;
  at: number;
  reason: MessageDescriptor | null;
  /** Start of the outage whose beginning (`monitor.down`) or end (`monitor.up`, `monitor.settled`) it belongs to; null: of none. */
  outageAt: number | null;
  /** Of `monitor.settled`: when it began to flap. */
  flappingSince?: number;
  /** It is about the health of a device: that this is critical (`monitor.down`), or well again (`monitor.up`). */
  health?: true;
  /** Of `monitor.up`: the device was offline as well, and people know since long that it is back, so its health is what is new. */
  recoveryNotified?: true;
}

/** What every rule returns: the next state, and what happened on the way, in order. */
export interface Applied {
  state: MonitorState;
  events: StatusEvent[];
}

/** A monitor that has not been checked yet. */
export function initialState(now: number): MonitorState {
  return {
    status: "unknown",
    since: now,
    historyAt: 0,
    targetRevision: 0,
    watchedSince: 0,
    watchedRevision: 0,
    locations: {},
    outage: null,
    recentTransitions: [],
    flapping: null,
    maintenance: false,
    degradationNotified: false,
    criticalNotified: false,
    stopNotified: false,
    suppressed: null,
  };
}

/** A check that was under way when the clock was corrected still votes. */
const UNDER_WAY_MS = 60_000;

/**
 * The state without the times of a clock that was ahead by hours: they become `now`, so that nothing waits
 * for them. The very same state where there are none.
 */
export function correctState(state: MonitorState, now: number): MonitorState {
  if (!isAhead(state, now)) return state;
  const back = (time: number) => Math.min(time, now);
  const { outage, flapping, watchedSince } = state;
  const locations = Object.entries(state.locations).map(([code, location]): [string, LocationState] => {
    const lastAt = location.lastAt > now ? now - UNDER_WAY_MS : location.lastAt;
    const recheckAt = location.recheckAt > now ? 0 : location.recheckAt;
    return [code, { ...location, lastAt, recheckAt, runSince: Math.min(back(location.runSince), lastAt) }];
  });
  return {
    ...state,
    since: back(state.since),
    historyAt: back(state.historyAt),
    watchedSince: watchedSince === null ? null : back(watchedSince),
    locations: Object.fromEntries(locations),
    outage: outage && { ...outage, startedAt: back(outage.startedAt), detectedAt: back(outage.detectedAt) },
    recentTransitions: state.recentTransitions.map(back),
    flapping: flapping && { since: back(flapping.since), unstableAt: back(flapping.unstableAt) },
  };
}

/** Any of them: what is newest is at least as new as all the others. */
function isAhead(
  { since, historyAt, watchedSince, locations, flapping }: MonitorState,
  now: number,
): boolean {
  if (isFromWrongClock(Math.max(since, historyAt, watchedSince ?? 0, flapping?.unstableAt ?? 0), now))
    return true;
  for (const code in locations) {
    const location = locations[code];
    if (location && isFromWrongClock(Math.max(location.lastAt, location.recheckAt), now)) return true;
  }
  return false;
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
