import { CLOCK_AHEAD_LIMIT_MS } from "../clock.ts";
import type { Context } from "../context.ts";
import { LAST_RETRY_MS, LEASE_MS, MAX_PAUSE_MS } from "../notification/rules.ts";
import { correctOthersDates as correct, correctDeliveryDates } from "../store/queries/delivery-dates.ts";

/** What another clock may be ahead without being wrong. */
const SLACK_MS = LEASE_MS;

/** This server's clock, and the later one of it and the database server's: nothing up to that is ahead. Milliseconds. */
export interface Times {
  now: number;
  latest: number;
}

type Needed = Pick<Context, "store">;

/** Has tried what this server's own clock put off while it was ahead, or that of the process before. Throws the store's error. */
export const tryPutOff = ({ store }: Needed, { now, latest }: Times): Promise<void> =>
  correctDeliveryDates(store.db, { limit: latest + CLOCK_AHEAD_LIMIT_MS, latest, now });

/**
 * Keeps the clock of another server, which may be no more, from putting messages off: nobody begins an attempt, waits for the next,
 * or pauses a channel for so long. Throws the store's error.
 */
export const correctOthersDates = ({ store }: Needed, { now, latest }: Times): Promise<void> =>
  correct(store.db, {
    now,
    until: latest + LEASE_MS,
    furthestLease: latest + LEASE_MS + SLACK_MS,
    furthestTry: latest + LAST_RETRY_MS + SLACK_MS,
    furthestPause: latest + MAX_PAUSE_MS + SLACK_MS,
  });
