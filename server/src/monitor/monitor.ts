import type { ListedMonitor } from "../store/queries/listed-monitor.ts";
import type { MonitorKind } from "./monitor-defaults.ts";

/** What every figure without a range of its own covers: the last 24 hours. */
export const STATS_WINDOW_MS = 86_400_000;

/** A monitor with what is true of it now. */
export interface ShownMonitor extends ListedMonitor {
  /** Time-weighted over the last 24 hours, 0…100; null while nothing is known. */
  uptimePercentage: number | null;
}

/** Which kind of monitor a verb is about. */
export interface OfKind {
  kind: MonitorKind;
}
