import type { ListedMonitor } from "../store/queries/listed-monitor.ts";
import type { MonitorRef } from "../store/queries/monitors.ts";

/** What every figure without a range of its own covers: the last 24 hours. */
export const FIGURES_WINDOW_MS = 86_400_000;

/** A domain with what is true of it now. */
export interface Domain extends ListedMonitor {
  /** Time-weighted over the last 24 hours, 0…100; null while nothing is known. */
  uptimePercentage: number | null;
}

/** Which domain of the caller's organization. */
export interface DomainRef {
  ref: MonitorRef;
}
