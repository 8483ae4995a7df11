import type { Context } from "../context.ts";
import { deleteEventsBefore } from "../store/queries/events.ts";
import { takeTurns } from "../turns.ts";

/** Clients resume the live stream within minutes; those that come later are told to read everything again (`reset`). */
const KEEP_MS = 3_600_000;
const SLICE = 100;

/** Removes live events older than an hour, a hundred at a time; call it only while the clock is believed. */
export async function forgetEvents({ store, clock }: Pick<Context, "store" | "clock">): Promise<number> {
  const before = clock.now() - KEEP_MS;
  const giveWay = takeTurns();
  for (let total = 0; ; ) {
    const count = await deleteEventsBefore(store.db, before, SLICE);
    total += count;
    if (count < SLICE) return total;
    // SQLite answers within this turn of the event loop: give way to everything else.
    await giveWay();
  }
}
