import type { Phases } from "../check/check.ts";
import type { Flag } from "../store/schema/values.ts";

/** 0 passed, 1 failed, 2 passed but slow, 3 the probe's own fault (no verdict). */
export type StoredOutcome = 0 | 1 | 2 | 3;

/**
 * One check as it is kept. Times in milliseconds, durations in microseconds; those made before the transfer was
 * measured have none.
 */
export interface StoredResult extends Phases {
  monitorId: number;
  locationId: number;
  /** When the check was due: with monitor and location, its identity. */
  scheduledAt: number;
  outcome: StoredOutcome;
  statusCode: number | null;
  reasonCode: string | null;
  reason: string | null;
  maintenance: Flag;
}
