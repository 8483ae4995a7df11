import type { Outcome } from "./outbox.ts";
import type { Delivery, Settlement } from "./queries/outbox.ts";

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
const retryDelayMs = (attempts: number, random: number): number =>
  (RETRIES_MS[attempts - 1] ?? LAST_RETRY_MS) * (0.75 + random / 4);

interface Circumstances {
  now: number;
  /** By how much this clock may be ahead of a right one, milliseconds. */
  aheadMs: number;
  /** While that is so, nothing is given up. */
  isSkewSuspected: boolean;
  /** The server stops: the next start, or another replica, goes on. */
  isStopping: boolean;
  /** From 0 to 1. */
  random: number;
}

/** What follows from an attempt: the message is sent, has failed for good, or is tried again, and when. */
export function settlementOf(
  { attempts, givesUpAt }: Pick<Delivery, "attempts" | "givesUpAt">,
  outcome: Outcome,
  { now, aheadMs, isSkewSuspected, isStopping, random }: Circumstances,
): Settlement {
  if (outcome.is === "sent") return { state: "sent" };
  const { is, why: failure } = outcome;
  if (is === "refused") return { state: "failed", failure };
  if (isStopping) return { state: "waiting", failure: null, again: now };
  const delayMs = Math.max(retryDelayMs(attempts, random), outcome.afterMs ?? 0);
  const again = Math.ceil(now + delayMs);
  return again - aheadMs < givesUpAt || isSkewSuspected
    ? { state: "waiting", failure, again }
    : { state: "failed", failure };
}

/** So many steps further in the delays between attempts. */
const REFUSED_LATER = 3;

/** When an alert is sent again whose message failed so many times. `random`: from 0 to 1. */
export function retryTime(
  { enabled }: { enabled: boolean },
  {
    delivery,
    settlement,
    failures,
  }: { delivery: Pick<Delivery, "givesUpAt">; settlement: Settlement; failures: number },
  { now, random }: { now: number; random: number },
): number {
  if (!enabled) return delivery.givesUpAt > now ? now + DISABLED_RETRY_MS : now;
  if (settlement.state === "waiting") return settlement.again;
  // What was refused is not refused less a few seconds later.
  return Math.ceil(now + retryDelayMs(failures + REFUSED_LATER, random));
}
