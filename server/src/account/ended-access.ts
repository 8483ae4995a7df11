import type { Db } from "../store/db.ts";
import { appendEvents, INTERNAL_ORGANIZATION } from "../store/queries/events.ts";

/** Whose access ended, or is no longer what it was when they came in. */
export type EndedAccess =
  | { of: "key"; apiKeyId: number }
  | { of: "session"; sessionId: number }
  /** A person's sessions but one. */
  | { of: "sessions"; userId: number; keptId: number | null }
  /** A person in one organization: they left it, or have another role. */
  | { of: "member"; userId: number; organizationId: number }
  /** Everybody in an organization: its plan changed. */
  | { of: "organization"; organizationId: number };

/** Who came in, for a request that lasts. */
export interface LastingAccess {
  userId: number;
  apiKeyId: number | null;
  sessionId: number | null;
  /** Those whose rights it lives on: that of the key or session, and the one that is looked at. */
  organizationIds: readonly number[];
}

/**
 * Writes into the event log that access ended, so that every server ends what goes on with it (live streams)
 * at once. Call it in the transaction that ends the access, and `ctx.live.wake()` after it commits.
 */
export function recordEndedAccess(trx: Db, ended: EndedAccess, now: number): void {
  appendEvents(trx, [{ organizationId: INTERNAL_ORGANIZATION, type: "access.ended", payload: ended }], now);
}

/** Whether it is this access that ended. */
export function concerns(ended: EndedAccess, access: LastingAccess): boolean {
  switch (ended.of) {
    case "key":
      return access.apiKeyId === ended.apiKeyId;
    case "session":
      return access.sessionId === ended.sessionId;
    case "sessions":
      return access.userId === ended.userId && access.sessionId !== null && access.sessionId !== ended.keptId;
    case "member":
      return access.userId === ended.userId && access.organizationIds.includes(ended.organizationId);
    case "organization":
      return access.organizationIds.includes(ended.organizationId);
  }
}
