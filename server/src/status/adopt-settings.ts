import type { Db } from "../store/db.ts";
import { saveStates, type WatchedMonitor } from "../store/queries/states.ts";
import { changeSettings } from "./changed-settings.ts";
import type { RunSettings } from "./due.ts";
import { NO_CHECK } from "./pause-monitor.ts";
import type { StatusConfig } from "./state.ts";

/** What a monitor's settings are from now on; durations in seconds. */
export interface AdoptedSettings {
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
