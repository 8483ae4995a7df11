import type { Db } from "../db.ts";
import { among } from "../dialect.ts";
import type { Channel } from "./channels.ts";
import { waiting } from "./outbox.ts";

/** What decides when a channel is told something. */
export interface PacedChannel extends Pick<Channel, "id" | "type" | "hours" | "timeZone"> {
  /** When its two newest messages got there. */
  sentAt: number[];
}

export async function listPacedChannels(db: Db, ids: readonly number[]): Promise<PacedChannel[]> {
  const rows = await db
    .selectFrom("channels")
    .select(["id", "type", "hours", "time_zone as timeZone", "last_sent_at", "previous_sent_at"])
    .where(among(db, "id", ids))
    .orderBy("id")
    .execute();
  return rows.map(({ last_sent_at: last, previous_sent_at: previous, hours, ...same }) => ({
    ...same,
    hours: hours === null ? null : JSON.parse(hours),
    sentAt: [last, previous].filter((at) => at !== null),
  }));
}

/** A message got there. */
export async function noteSent(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable("channels")
    .set((set) => ({ previous_sent_at: set.ref("last_sent_at"), last_sent_at: now }))
    .where("id", "=", id)
    .execute();
}

/** What waits for the hours of these channels is looked at again: they may be others now. */
export async function releaseHeld(db: Db, ids: readonly number[], now: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ next_try_at: now })
    .where(among(db, "channel_id", ids))
    .where("state", "=", waiting)
    .where("attempts", "=", 0)
    .where("held_until", "is not", null)
    .execute();
}
