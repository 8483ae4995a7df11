import type { Db } from "../../platform/database/schema.ts";
import { lockStates, saveStates, type WatchedMonitor } from "../queries/states.ts";
import { freshForMs, isFresh } from "./confirmations.ts";
import type { RunSettings } from "./late-signals.ts";
import { resumeState } from "./pause.ts";
import { initialState, type LocationState, type MonitorState, type StatusConfig } from "./state.ts";

/** What a monitor's settings are from now on; durations in seconds. */
interface AdoptedSettings {
  /** When its signals are expected, of a monitor that receives any; else null. */
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
  /** Whether runs are expected at other times from now on: those expected before are no longer late. */
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

/** The last check of a monitor that has had none. */
const NO_CHECK = { at: null, outcome: null, statusCode: null, totalUs: null, result: null };
/** Not used while no vote is there: a new state has nothing that could grow stale. */
const ANY_CONFIG = { intervalMs: 0, timeoutMs: 0, confirmations: 1, recoveries: 1, maintenance: false };

/** A new monitor: unknown until its first result. Call it in the transaction that creates the monitor. */
export async function createState(trx: Db, monitorId: number, now: number): Promise<void> {
  const state = { state: initialState(now), last: NO_CHECK, runs: null, maintenanceUntil: null };
  await saveStates(trx, [{ monitorId, config: ANY_CONFIG, ...state }]);
}

/** These monitors are watched again, as they are in the store; earlier results no longer vote. */
export async function markResumed(trx: Db, monitorIds: readonly number[], now: number): Promise<void> {
  const monitors = await lockStates(trx, monitorIds);
  await saveStates(
    trx,
    monitors.map((monitor) => ({ ...monitor, state: resumeState(monitor.state, monitor.revision, now) })),
  );
}
