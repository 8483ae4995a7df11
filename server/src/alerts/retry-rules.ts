const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const RETRIES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 8 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** The longest: no outage is notified hours after its receiver is reachable again. */
export const LAST_RETRY_MS = 30 * MINUTE_MS;
/** A channel that was disabled by what the other side answered is tried once a day. */
export const DISABLED_RETRY_MS = 24 * HOUR_MS;

/** An attempt that takes longer is given up. */
export const ATTEMPT_MS = MINUTE_MS;
/** From then on another replica may begin the next attempt: this one has died. */
export const LEASE_MS = 2 * ATTEMPT_MS;
/** No service gets a longer pause. */
export const MAX_PAUSE_MS = 6 * HOUR_MS;

/** How long something for a channel is worth sending. */
export const CHANNEL_WORTH_MS = 24 * HOUR_MS;

/**
 * How long after the n-th failed attempt the next one begins, milliseconds: longer each time, and up to a quarter
 * sooner, so that what failed together is not tried together. `random`: from 0 to 1.
 */
export const retryDelayMs = (attempts: number, random: number): number =>
  (RETRIES_MS[attempts - 1] ?? LAST_RETRY_MS) * (0.75 + random / 4);
