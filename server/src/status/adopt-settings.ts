import type { Db } from "../store/db.ts";
import { saveStates, type WatchedMonitor } from "../store/queries/states.ts";
import type { RunSettings } from "./awaited.ts";
import { NO_CHECK } from "./pause-monitor.ts";
import { freshForMs, isFresh } from "./quorum.ts";
import type { LocationState, MonitorState, StatusConfig } from "./state.ts";

/** What a monitor's settings are from now on; durations in seconds. */
interface AdoptedSettings {
  /** Of a monitor that is told: when; else null. */
  runs: RunSettings | null;
  intervalSeconds: number;
  timeoutSeconds: number;
  confirmations: number;
  recoveries: number;
  /** The new revision, when something else is checked from now on; else null. */
  targetRevision: number | null;
  /** Whether the last check is forgotten, as of a new monitor. */
  beginsAnew: boolean;
}

/**
 * Carries a monitor's status over a change of its settings, in the transaction that changes them.
 * `monitor` comes from `lockStates`, called before anything else of the monitor was touched: results
 * of it take turns with the change, and lock in the same order.
 */
export async function adoptSettings(
  trx: Db,
  monitor: WatchedMonitor,
  settings: AdoptedSettings,
  now: number,
): Promise<void> {
  const { confirmations, recoveries, targetRevision, beginsAnew, runs } = settings;
  const after: StatusConfig = {
    intervalMs: settings.intervalSeconds * 1000,
    timeoutMs: settings.timeoutSeconds * 1000,
    confirmations,
    recoveries,
    maintenance: monitor.config.maintenance,
  };
  const isRescheduled = runs?.cron !== monitor.runs?.cron || runs?.timeZone !== monitor.runs?.timeZone;
  const change = { before: monitor.config, after, targetRevision, isRescheduled };
  const state = changeSettings(monitor.state, change, now);
  const last = beginsAnew ? NO_CHECK : monitor.last;
  await saveStates(trx, [{ ...monitor, config: after, state, last, runs }]);
}

/** A person's change of a monitor, as far as its status cares. */
interface SettingsChange {
  before: StatusConfig;
  after: StatusConfig;
  /** Set when something else is checked from now on (address, what is sent, what is expected). */
  targetRevision: number | null;
  /** Whether runs are expected at other times from now on: nobody is late for those that would have been before. */
  isRescheduled?: boolean;
}

/**
 * What is known survives a change of the settings: a vote that was fresh under the old interval gets
 * the time of the new one, so that a shorter interval does not turn the past into a gap. Of another
 * target nothing is known yet: the status stays, but runs that were not confirmed begin anew.
 */
export function changeSettings(state: MonitorState, change: SettingsChange, now: number): MonitorState {
  const { before, after, targetRevision, isRescheduled = false } = change;
  const shorterByMs = freshForMs(before) - freshForMs(after);
  const locations = Object.entries(state.locations).map(([code, location]): [string, LocationState] => {
    const isShortened = shorterByMs > 0 && isFresh(location, before, now);
    const movedTo = isRescheduled ? now : isShortened ? Math.min(location.lastAt + shorterByMs, now) : 0;
    const lastAt = Math.max(location.lastAt, movedTo);
    return [code, { ...(targetRevision === null ? location : forgetRun(location)), lastAt }];
  });
  return {
    ...state,
    locations: Object.fromEntries(locations),
    targetRevision: targetRevision ?? state.targetRevision,
  };
}

/** A confirmed failure still needs a confirmed recovery: only what was on its way is forgotten. */
function forgetRun(location: LocationState): LocationState {
  const { confirmed } = location;
  const known = { ...location, successes: 0, slows: 0, recheckAt: 0 };
  if (confirmed === "failing") return { ...known, vote: location.vote === "stale" ? "stale" : "failing" };
  return { ...known, vote: location.vote === "stale" ? "stale" : (confirmed ?? "suspect"), failures: 0 };
}
