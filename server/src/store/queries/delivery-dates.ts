import type { Db } from "../db.ts";
import { waiting } from "./outbox.ts";

/** Times that a clock ahead has written, milliseconds: later than `furthest…` no right one writes any. */
export interface WrongDates {
  now: number;
  /** When whoever has begun to send may be given up, from now on. */
  until: number;
  furthestLease: number;
  furthestTry: number;
  furthestPause: number;
}

/**
 * Has what a clock ahead of the present one put off tried now: messages that nobody has tried, which were due at once, those that
 * are under way or to be tried again after `limit`, and channels that are held until
 * then. What is due by `latest` is not put off. One try too many does no harm where the time was right. Times in milliseconds.
 */
export async function correctDeliveryDates(
  db: Db,
  { limit, latest, now }: { limit: number; latest: number; now: number },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ next_try_at: now, leased_until: null })
    .where("state", "=", waiting)
    .where((is) =>
      is.or([
        is("leased_until", ">", limit),
        is("next_try_at", ">", limit),
        is.and([is("attempts", "=", 0), is("next_try_at", ">", latest)]),
      ]),
    )
    .execute();
  await releaseChannels(db, limit);
}

/**
 * Brings back what another server's clock has put off further than any right one does: what is under way gets the time that
 * one attempt may take, since that server may be alive, and all else is tried now.
 */
export async function correctOthersDates(db: Db, dates: WrongDates): Promise<void> {
  const { now, until, furthestLease, furthestTry, furthestPause } = dates;
  const wrong = db
    .updateTable("outbox")
    .where("state", "=", waiting)
    .where("next_try_at", ">", furthestLease);
  await wrong
    .set({ next_try_at: until, leased_until: until })
    .where("leased_until", ">", furthestLease)
    .execute();
  await wrong
    .set({ next_try_at: now })
    .where("leased_until", "is", null)
    .where((is) =>
      is.or([
        is("next_try_at", ">", furthestTry),
        is.and([is("attempts", "=", 0), is("created_at", ">", furthestLease)]),
      ]),
    )
    .execute();
  await releaseChannels(db, furthestPause);
}

/** Of those that are held until later than that. */
async function releaseChannels(db: Db, limit: number): Promise<void> {
  await db.updateTable("channels").set({ held_until: null }).where("held_until", ">", limit).execute();
}
