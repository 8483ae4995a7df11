import type { Context } from "../context.ts";
import {
  claimDeliveries,
  type Delivery,
  hasDueDeliveries,
  type Settlement,
  settleDelivery,
} from "../store/queries/outbox.ts";
import { fact, parseFact } from "../texts/fact.ts";
import type { Channel, Outcome } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import { retryDelayMs } from "./rules.ts";

/** An attempt that takes longer is given up. */
const ATTEMPT_MS = 60_000;
/** From then on another replica may begin the next attempt: this one has died. */
export const LEASE_MS = 2 * ATTEMPT_MS;
const AT_ONCE = 4;

/**
 * Sends what is due in the outbox, a few at a time, until nothing is. Any number of replicas may do so. When `signal`
 * ends it early, what was under way is due again at once.
 */
export async function deliverOutbox(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await hasDueDeliveries(ctx.store.db, ctx.clock.now()))) {
    const now = ctx.clock.now();
    const begun = await ctx.store.transaction((trx) =>
      claimDeliveries(trx, { now, until: now + LEASE_MS, limit: AT_ONCE }),
    );
    const ended = await Promise.allSettled(begun.map((delivery) => attempt(ctx, delivery, signal)));
    for (const each of ended) if (each.status === "rejected") throw each.reason;
    // Other replicas are at the rest.
    if (begun.length === 0) return;
  }
}

/** Makes an attempt that has begun, and keeps what became of it. Throws the store's error. */
async function attempt(ctx: Context, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
  const outcome = await outcomeOf(ctx, delivery, signal);
  const settlement = settlementOf(ctx, delivery, outcome, signal);
  await settleDelivery(ctx.store.db, delivery, settlement);
  if (settlement.state === "failed") {
    const { uuid, channel, attempts } = delivery;
    ctx.log.warn({ uuid, channel, attempts, failure: settlement.failure }, "A message was given up");
  }
  return outcome;
}

/** Makes an attempt, and says what became of it. */
export async function outcomeOf(ctx: Context, delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
  if (delivery.givesUpAt <= ctx.clock.now()) {
    return { is: "refused", why: parseFact(delivery.failure) ?? fact("delivery.late") };
  }
  try {
    const channels: Readonly<Record<string, Channel>> = CHANNELS;
    const channel = channels[delivery.channel];
    if (!channel) throw new Error(`there is no channel ${delivery.channel}`);
    const open = { ...delivery, content: ctx.secrets.open(delivery.content) };
    return await channel.send(ctx, open, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]));
  } catch (error) {
    const { uuid, channel } = delivery;
    ctx.log.error({ err: error, uuid, channel }, "An attempt to send a message failed");
    return { is: "postponed", why: fact("delivery.error") };
  }
}

function settlementOf(
  { clock }: Context,
  { attempts, givesUpAt }: Delivery,
  outcome: Outcome,
  signal: AbortSignal,
): Settlement {
  if (outcome.is === "sent") return { state: "sent" };
  const { is, why: failure } = outcome;
  if (is === "refused") return { state: "failed", failure };
  const now = clock.now();
  // The server stops: the next start, or another replica, goes on.
  if (signal.aborted) return { state: "waiting", failure: null, again: now };
  const again = Math.ceil(now + retryDelayMs(attempts, Math.random()));
  return again < givesUpAt ? { state: "waiting", failure, again } : { state: "failed", failure };
}
