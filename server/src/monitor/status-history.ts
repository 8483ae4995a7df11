import type { Status } from "../status/state.ts";
import { listStatusChanges, type StatusChangeRow } from "../store/queries/transitions.ts";
import type { Fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";

const DAY_MS = 86_400_000;

/** A time in which a monitor had one status. Milliseconds. */
export interface StatusPeriod {
  state: Status | "paused";
  startedAt: number;
  /** Null while it goes on. */
  endedAt: number | null;
  maintenance: boolean;
  reason: Fact | null;
}

/**
 * A monitor's status over some days, newest period first; the oldest may have begun before them. Where nothing is said
 * of a time, the monitor had no status yet.
 */
export async function statusHistory(
  { db, clock }: Running,
  { id }: { id: number },
  { days, limit }: { days: number; limit: number },
): Promise<StatusPeriod[]> {
  const now = clock.now();
  const changes = await listStatusChanges(db, {
    monitorId: id,
    from: now - days * DAY_MS,
    to: now + 1,
    limit,
  });
  return changes.map((change, at) => ({
    state: stateOf(change),
    startedAt: change.at,
    endedAt: changes[at - 1]?.at ?? null,
    maintenance: change.maintenance,
    reason: change.reason,
  }));
}

const stateOf = ({ status, reason }: StatusChangeRow): StatusPeriod["state"] =>
  status === "unknown" && reason?.code === "watch.paused" ? "paused" : status;
