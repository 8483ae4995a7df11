import { CLOCK_AHEAD_LIMIT_MS } from "../clock.ts";
import type { CorrectDeliveries } from "../result/clock-watch.ts";
import { correctAlertDates } from "../store/queries/alerts.ts";
import { correctDeliveryDates, correctOthersDates } from "../store/queries/channel-deliveries.ts";
import { LAST_RETRY_MS, LEASE_MS, MAX_PAUSE_MS } from "./rules.ts";

/** What another clock may be ahead without being wrong. */
const SLACK_MS = LEASE_MS;

/**
 * Keeps a wrong clock from putting messages off. What this server's own did, or that of the process before, is tried. That of
 * another server, which may be no more, makes nobody begin an attempt, wait for the next, or pause a channel for so long.
 * Throws the store's error.
 */
export const correctDeliveries: CorrectDeliveries = async ({ store }, { now, latest }, wasSetBack) => {
  if (wasSetBack) await correctDeliveryDates(store.db, { limit: latest + CLOCK_AHEAD_LIMIT_MS, latest, now });
  const writtenAfter = latest + (wasSetBack ? 0 : SLACK_MS);
  while (await store.transaction((trx) => correctAlertDates(trx, { now, writtenAfter })));
  await correctOthersDates(store.db, {
    now,
    until: latest + LEASE_MS,
    furthestLease: latest + LEASE_MS + SLACK_MS,
    furthestTry: latest + LAST_RETRY_MS + SLACK_MS,
    furthestPause: latest + MAX_PAUSE_MS + SLACK_MS,
  });
};
