import type { JobStats } from "../platform/jobs.ts";
import type { ProbeResult } from "./probe/link.ts";
import type { PrepareResults } from "./results/store-results.ts";

/** What verbs may call of the running engine. The command line, which runs none, passes a silent one. */
export interface EngineControl {
  /** Takes results that no probe has measured, and applies them; resolves when they are stored. Throws the store's error. */
  accept(results: readonly ProbeResult[], prepareResults?: PrepareResults): Promise<void>;
  /**
   * Has a monitor checked at once by whichever probes have it, on any replica, and resolves to the first result as it is stored.
   * Null: it is no longer checked, none came within `waitMs`, or `signal` is aborted. Throws the store's error.
   */
  checkNow(monitorId: number, wait: { waitMs: number; signal?: AbortSignal }): Promise<ProbeResult | null>;
  /** A monitor was created, changed, paused or deleted. Other replicas learn of it through the event log. */
  monitorChanged(monitorId: number): void;
  /** State for /api/health?ready=1 and /metrics. */
  health(): EngineHealth;
  /** What time sets off on this server, for /metrics. */
  jobs(): readonly Readonly<JobStats>[];
}

export interface EngineHealth extends ProbeHealth {
  /** False while the clock is more than a day away from where it can be (engine/results/clock-watch.ts). */
  isClockTrusted: boolean;
}

/** The probes' part of it. */
export interface ProbeHealth {
  ticking: boolean;
  monitors: number;
  queuedResults: number;
  checksTotal: number;
  skippedTotal: number;
  /** Milliseconds, the 99th percentile of the last minute. */
  lateness99Ms: number;
}

declare module "../platform/context.ts" {
  interface Context {
    engine: EngineControl;
  }
}
