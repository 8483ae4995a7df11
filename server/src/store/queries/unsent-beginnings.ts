import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import { BEGINNINGS } from "./thread-outage-changes.ts";
import { undecided } from "./untold.ts";

/** A message that is still to be decided on, or waits for its channel's hours, and says that an outage has begun. Milliseconds. */
export interface UnsentBeginning {
  id: number;
  threadId: number;
  monitorId: number;
  createdAt: number;
  /** When the first message of its thread got there; null: none has. */
  sentAt: number | null;
}

/** Those of these threads. */
export async function listUnsentBeginnings(
  trx: Db,
  threadIds: readonly number[],
): Promise<UnsentBeginning[]> {
  if (threadIds.length === 0) return [];
  const rows = await trx
    .selectFrom("outbox")
    .innerJoin("channel_threads", "channel_threads.id", "outbox.thread_id")
    .select(["channel_threads.id as threadId", "channel_threads.told_at as sentAt"])
    .select(["outbox.id", "outbox.message", "outbox.created_at as createdAt"])
    .where(among(trx, "outbox.thread_id", threadIds))
    .where(undecided)
    .where("outbox.event", "in", BEGINNINGS)
    .execute();
  return rows.flatMap(({ message, ...row }) => {
    const { event, monitor } = JSON.parse(message ?? "{}") as { event?: string; monitor?: { id: number } };
    // The health of a device has other news, too.
    return event === "monitor.down" ? { ...row, monitorId: monitor?.id ?? 0 } : [];
  });
}
