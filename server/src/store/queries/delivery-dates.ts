import type { Db } from "../db.ts";

/**
 * Has what a clock ahead of the present one put off tried now: messages that nobody has tried, which were due at once, those that
 * are under way or to be tried again after `limit`, but for those that wait for their channel's hours, and channels that are
 * held until then. One try too many does no harm where the time was right. Times in milliseconds.
 */
export async function correctDeliveryDates(
  db: Db,
  { limit, now }: { limit: number; now: number },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ next_try_at: now, leased_until: null })
    .where("state", "=", "waiting")
    .where((is) =>
      is.or([
        is("leased_until", ">", limit),
        is.and([is("held_until", "is", null), is("next_try_at", ">", limit)]),
        is.and([is("held_until", "is", null), is("attempts", "=", 0), is("next_try_at", ">", now)]),
      ]),
    )
    .execute();
  await db.updateTable("channels").set({ held_until: null }).where("held_until", ">", limit).execute();
}
