import { applyOutcomeToAlerts } from "../alerts/send.ts";
import type { Context } from "../context.ts";
import { type Delivery, type Settlement, saveOutcome } from "../store/queries/outbox.ts";
import { msg, parseMessage } from "../texts/message.ts";
import { ownTurn } from "../turns.ts";
import { ATTEMPT_MS, retryDelayMs } from "./rules.ts";
import type { Outcome, Transport } from "./transport.ts";

/** How an attempt is made, and until when. */
interface By {
  /** That of the delivery; undefined: only a newer release knows it. */
  transport: Transport | undefined;
  signal: AbortSignal;
}

/** Whether the clock can be trusted when it says that something is too late. Call `look` first: it may have been set. */
export interface DeliveryClock {
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
export async function attempt(ctx: Context, delivery: Delivery, by: Watched): Promise<void> {
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
    const settlement = settlementOf(ctx, delivery, known, { signal, watch });
    const isCommitted = await saveOutcome(trx, delivery, settlement);
    const counts = known.is === "sent" || !signal.aborted;
    if (isCommitted && counts) await transport?.applyOutcome?.(ctx, trx, delivery, known);
    if (isCommitted)
      await applyOutcomeToAlerts(trx, ctx.config, { delivery, settlement, outcome: known }, ctx.clock.now());
    return settlement;
  });
  if (settlement.state === "failed") {
    // It may have turned its channel off, of which people hear at once.
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

function settlementOf(
  { clock }: Context,
  { attempts, givesUpAt }: Delivery,
  outcome: Outcome,
  { signal, watch }: Pick<Watched, "signal" | "watch">,
): Settlement {
  if (outcome.is === "sent") return { state: "sent" };
  const { is, why: failure } = outcome;
  if (is === "refused") return { state: "failed", failure };
  const now = clock.now();
  // The server stops: the next start, or another replica, goes on.
  if (signal.aborted) return { state: "waiting", failure: null, again: now };
  const delayMs = Math.max(retryDelayMs(attempts, Math.random()), outcome.afterMs ?? 0);
  const again = Math.ceil(now + delayMs);
  return again - watch.aheadMs() < givesUpAt || watch.isSkewSuspected
    ? { state: "waiting", failure, again }
    : { state: "failed", failure };
}
