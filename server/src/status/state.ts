/** What status/rules.ts works on (decisions §6). Plain JSON: it is stored as it is. */
export type Status = "unknown" | "up" | "degraded" | "down";
export type Vote = "ok" | "suspect" | "failing" | "recovering" | "stale";

export interface LocationState {
  vote: Vote;
  /** Consecutive failures / successes at this location. */
  failures: number;
  successes: number;
  /** Whether the newest success was slow. */
  slow: boolean;
  lastAt: number;
  /** Start of the present run of failures, or of successes after failures. */
  runSince: number;
  reason: string | null;
}

export interface MonitorState {
  status: Status;
  since: number;
  locations: Record<string, LocationState>;
  /** Detection times of the latest confirmed up/down transitions, for flapping. */
  recentTransitions: number[];
  /** Set while flapping: start, and the time of the last transition or failure. */
  flapping: { since: number; unstableAt: number } | null;
  /** Set when a maintenance window ended: only a fresh confirmation may page. */
  needsConfirmation: boolean;
}

/** The part of a monitor's settings that the rules need. */
export interface StatusConfig {
  intervalMs: number;
  timeoutMs: number;
  /** Failures in a row that make a location failing, 1…10. */
  confirmations: number;
  /** Successes in a row that make it ok again, 1…10. */
  recoveries: number;
  maintenance: boolean;
}

/** The part of a result that the rules need. */
export interface StatusResult {
  location: string;
  /** The schedule's time of the check. */
  at: number;
  verdict: "ok" | "degraded" | "failed" | "probe_fault";
  reason: string | null;
}

export type NoticeEvent =
  | "monitor.down"
  | "monitor.up"
  | "monitor.degraded"
  | "monitor.flapping"
  | "monitor.stopped";

export type StatusEvent =
  | {
      type: "transition";
      from: Status;
      to: Status;
      at: number;
      detectedAt: number;
      reason: string | null;
      location: string | null;
    }
  /** Check again now, here and, where there is one, at another location. */
  | { type: "recheck"; location: string }
  | { type: "outage_opened"; startedAt: number; detectedAt: number; reason: string | null }
  | { type: "outage_closed"; at: number; detectedAt: number }
  | { type: "notice"; event: NoticeEvent; at: number; reason: string | null };
