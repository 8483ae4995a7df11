import type { Db } from "../db.ts";

/** What stands between two answers of a conversation: JSON, null for nothing. */
export interface ClaimedTurn {
  transcript: string | null;
}

/** Begins an answer in a conversation, until then at the latest (milliseconds); null: another one is under way, on whichever replica. */
export async function claimTurn(
  db: Db,
  conversationId: number,
  { now, until }: { now: number; until: number },
): Promise<ClaimedTurn | null> {
  const row = await db
    .insertInto("assistant_turns")
    .values({ conversation_id: conversationId, running_until: until, transcript: null })
    .onConflict((conflict) =>
      conflict
        .column("conversation_id")
        .doUpdateSet({ running_until: until })
        .where("assistant_turns.running_until", "<=", now),
    )
    .returning("transcript")
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the answer that was begun until then; `transcript`: what stands from now on, undefined for what stood before. */
export async function endTurn(
  db: Db,
  conversationId: number,
  { until, transcript }: { until: number; transcript?: string | null | undefined },
): Promise<void> {
  await db
    .updateTable("assistant_turns")
    .set({ running_until: 0, ...(transcript !== undefined && { transcript }) })
    .where("conversation_id", "=", conversationId)
    .where("running_until", "=", until)
    .execute();
}

/** Keeps what stands after the first answer of a conversation. */
export async function keepTranscript(db: Db, conversationId: number, transcript: string): Promise<void> {
  await db
    .insertInto("assistant_turns")
    .values({ conversation_id: conversationId, running_until: 0, transcript })
    .onConflict((conflict) => conflict.column("conversation_id").doUpdateSet({ transcript }))
    .execute();
}
