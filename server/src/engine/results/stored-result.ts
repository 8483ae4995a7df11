import type { Phases } from "../../checks/check.ts";
import type { StoredOutcome } from "../../checks/outcome.ts";
import type { Flag } from "../../platform/database/table.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";

/**
 * One check as it is stored. Times in milliseconds, durations in microseconds; those made before the transfer was
 * measured have none.
 */
export interface StoredResult extends Phases {
  monitorId: number;
  locationId: number;
  /** When the check was due: with monitor and location, its identity. */
  scheduledAt: number;
  outcome: StoredOutcome;
  statusCode: number | null;
  /** Why it did not pass. */
  reason: MessageDescriptor | null;
  /** What a passed check has to say. */
  message: MessageDescriptor | null;
  maintenance: Flag;
}
