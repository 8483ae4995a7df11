import { setTimeout } from "node:timers/promises";
import type { CorrectDeliveries } from "../engine/results/clock-watch.ts";
import { CLOCK_AHEAD_LIMIT_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { TransportName } from "../platform/database/tables/outbox.ts";
import { msg, parseMessage } from "../platform/i18n/message.ts";
import { ownTurn, takeTurns } from "../platform/turns.ts";
import { followAlertEvents } from "./inbox.ts";
import type { Outcome, Transport } from "./outbox.ts";
import { correctAlertDates, hasAlertWork } from "./queries/alerts.ts";
import { correctDeliveryDates, correctOthersDates } from "./queries/channel-deliveries.ts";
import { type ClaimLimits, claimDeliveries, lockClaims } from "./queries/claim-deliveries.ts";
import { type Delivery, hasDueDeliveries, saveOutcome } from "./queries/outbox.ts";
import {
  ATTEMPT_MS,
  DISABLED_RETRY_MS,
  LAST_RETRY_MS,
  LEASE_MS,
  MAX_PAUSE_MS,
  settlementOf,
} from "./retry-rules.ts";
import { applyOutcomeToAlerts, sendDueAlerts } from "./send.ts";

/** How an attempt is made, and until when. */
interface By {
  /** That of the delivery; undefined: only a newer release knows it. */
  transport: Transport | undefined;
  signal: AbortSignal;
}

/** Whether the clock can be trusted when it says that something is too late. Call `look` first: it may have been set. */
interface DeliveryClock {
  readonly isSkewSuspected: boolean;
  /** By how much this clock is ahead of another server's, which may be right, milliseconds. */
  aheadMs(): number;
  /** Throws the store's error. */
  look(): Promise<void>;
}

interface Watched extends By {
  watch: DeliveryClock;
}

/**
 * Makes an attempt that has begun, and keeps what became of it. While clock skew is suspected nothing is given up; nor
 * is anything sent that may be too late. Nothing is too late that is not by the clock of the database, too. Throws the store's error.
 */
async function attempt(ctx: Context, delivery: Delivery, by: Watched): Promise<void> {
  await by.watch.look();
  // Fifty that begin, or end, at once would else do so in one turn of the event loop.
  await ownTurn();
  const isLate = delivery.givesUpAt <= ctx.clock.now() - by.watch.aheadMs();
  const outcome = isLate ? lateOutcome(delivery, by.watch) : await outcomeOf(ctx, delivery, by);
  await by.watch.look();
  await ownTurn();
  await recordOutcome(ctx, delivery, outcome, by);
}

function lateOutcome({ failure }: Delivery, { isSkewSuspected }: DeliveryClock): Outcome {
  const why = parseMessage(failure) ?? msg("delivery.late");
  return { is: isSkewSuspected ? "postponed" : "refused", why };
}

/** Keeps what became of an attempt, unless it counts as lost and another one has begun. Throws the store's error. */
async function recordOutcome(
  ctx: Context,
  delivery: Delivery,
  outcome: Outcome,
  { transport, signal, watch }: Watched,
): Promise<void> {
  const settlement = await ctx.store.transaction(async (trx) => {
    const known = (await transport?.reconsidered?.(ctx, trx, delivery, outcome)) ?? outcome;
    const settlement = settlementOf(delivery, known, {
      ...{ now: ctx.clock.now(), aheadMs: watch.aheadMs(), isSkewSuspected: watch.isSkewSuspected },
      ...{ isStopping: signal.aborted, random: Math.random() },
    });
    const isCommitted = await saveOutcome(trx, delivery, settlement);
    const counts = known.is === "sent" || !signal.aborted;
    if (isCommitted && counts) await transport?.applyOutcome?.(ctx, trx, delivery, known);
    if (isCommitted)
      await applyOutcomeToAlerts(trx, ctx.config, { delivery, settlement, outcome: known }, ctx.clock.now());
    return settlement;
  });
  if (settlement.state === "failed") {
    // The attempt may have turned its channel off, which open apps show at once.
    ctx.live.wake();
    const { uuid, transport, attempts } = delivery;
    ctx.log.warn({ uuid, transport, attempts, failure: settlement.failure }, "A message was given up");
  }
}

/** Makes an attempt, and says what became of it. */
export async function outcomeOf(
  ctx: Context,
  delivery: Delivery,
  { transport, signal }: By,
): Promise<Outcome> {
  try {
    if (!transport) throw new Error(`there is no transport ${delivery.transport}`);
    const content = delivery.content === "" ? "" : ctx.secrets.open(delivery.content);
    const whole = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    return await transport.send(ctx, { ...delivery, content }, whole);
  } catch (error) {
    ctx.log.error(
      { err: error, uuid: delivery.uuid, transport: delivery.transport },
      "An attempt to send a message failed",
    );
    return { is: "postponed", why: msg("delivery.error") };
  }
}

/**
 * Limits for mails, for messages to channels of organizations and to those of people, and for both within one organization: a
 * person's channel that hangs must not delay an organization's.
 */
const PLAIN_AT_ONCE = 4;
const CHANNELS_AT_ONCE = 64;
const OWN_AT_ONCE = 32;
const CHANNELS_OF_ONE_AT_ONCE = 8;
/**
 * To subscribers of status pages, of whom there are thousands: of an organization that has them to itself, and of all, when some
 * of them hang (sharedOut, in alerts/queries/claim-deliveries.ts).
 */
const SUBSCRIBERS_OF_ONE_AT_ONCE = 8;
const SUBSCRIBERS_AT_ONCE = 64;
/** While something is under way, what becomes due meanwhile is looked for so often. */
const LOOK_MS = 250;

const TRUSTED_CLOCK: DeliveryClock = { isSkewSuspected: false, aheadMs: () => 0, look: async () => {} };

/** Every way that the outbox sends things, by the name that it keeps. */
export type Transports = Readonly<Record<TransportName, Transport>>;

/**
 * Sends what is due in the outbox until nothing is due or being sent: a receiver that hangs delays no other. Any number of
 * replicas may do so. What was being sent when `signal` ends it is due again at once. While the clock may be skewed, expired
 * messages wait, since their age may be wrong. Throws the store's error.
 */
export async function deliverOutbox(
  ctx: Context,
  transports: Transports,
  signal: AbortSignal,
  watch: DeliveryClock = TRUSTED_CLOCK,
): Promise<void> {
  const running = new Map<Delivery, Promise<void>>();
  const failures: unknown[] = [];
  while (failures.length === 0) {
    const atWork = [...running.keys()];
    const begun = signal.aborted ? [] : await claim(ctx, atWork, watch);
    for (const delivery of begun) {
      const by = { transport: transports[delivery.transport], signal, watch };
      const ended = attempt(ctx, delivery, by)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(delivery));
      running.set(delivery, ended);
    }
    // What ended while this claim was made has left room that it did not know of.
    if (atWork.length === 0 && begun.length === 0) break;
    if (running.size > 0) await nextEnd(running.values());
  }
  await Promise.all(running.values());
  if (failures.length > 0) throw failures[0];
}

/** When the first of them has ended, or it is time to look again. */
async function nextEnd(running: Iterable<Promise<void>>): Promise<void> {
  const over = new AbortController();
  const look = setTimeout(LOOK_MS, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([look, ...running]);
  over.abort();
}

async function claim(ctx: Context, running: readonly Delivery[], watch: DeliveryClock): Promise<Delivery[]> {
  await watch.look();
  const { db } = ctx.store;
  if (await hasAlertWork(db, ctx.clock.now())) await followAlertEvents(ctx);
  else if (!(await hasDueDeliveries(db, ctx.clock.now()))) return [];
  const via = (name: TransportName) => running.filter(({ transport }) => transport === name);
  const [toChannels, own, toSubscribers] = [via("channel"), via("person"), via("subscriber")];
  const others = running.length - toChannels.length - own.length - toSubscribers.length;
  const giveWay = takeTurns();
  return ctx.store.transaction(async (trx) => {
    await lockClaims(trx);
    // Not before: what was sent while this waited for its turn would seem to be still to come.
    const now = ctx.clock.now();
    const due = { now, worthAfter: watch.isSkewSuspected ? now : 0 };
    const channels = limitsOf(toChannels, CHANNELS_AT_ONCE);
    const people = limitsOf(own, OWN_AT_ONCE);
    await sendDueAlerts(trx, ctx.config, now, { channels: fullIn(channels), own: fullIn(people) });
    await giveWay();
    return claimDeliveries(trx, {
      ...due,
      until: now + LEASE_MS,
      plain: Math.max(0, PLAIN_AT_ONCE - others),
      channels,
      own: people,
      subscribers: limitsOf(toSubscribers, SUBSCRIBERS_AT_ONCE, SUBSCRIBERS_OF_ONE_AT_ONCE),
    });
  });
}

function limitsOf(
  running: readonly Delivery[],
  most: number,
  ofOne: number = CHANNELS_OF_ONE_AT_ONCE,
): ClaimLimits["own"] {
  const byOrganization = Map.groupBy(running, ({ organizationId }) => organizationId ?? 0);
  return {
    atMost: most - running.length,
    ofOne,
    running: new Map([...byOrganization].map(([id, same]) => [id, same.length])),
  };
}

/** Organizations of which as many messages are under way as may be. */
const fullIn = ({ ofOne, running }: ClaimLimits["own"]): ReadonlySet<number> =>
  new Set([...running].flatMap(([id, count]) => (count < ofOne ? [] : id)));

/** What another clock may be ahead without being wrong. */
const SLACK_MS = LEASE_MS;

/**
 * Undoes delays that a wrong clock caused. Attempts of this server or its predecessor are retried; another server's may be
 * gone, so its dates in the future must not delay an attempt, a retry or a channel's pause. Throws the store's error.
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
    furthestDaily: latest + DISABLED_RETRY_MS + SLACK_MS,
  });
};
