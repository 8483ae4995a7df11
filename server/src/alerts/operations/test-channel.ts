import type { Context } from "../../platform/context.ts";
import { notFound } from "../../platform/errors.ts";
import { IdParams } from "../../platform/operations/field.ts";
import { type Running, verb } from "../../platform/operations/operation.ts";
import { channelTransport } from "../channels/channel-transport.ts";
import { applyOutcomeToChannel, deliveryOf, toChannel } from "../channels/delivery.ts";
import { testMessage } from "../channels/message.ts";
import { outcomeOf } from "../deliver.ts";
import type { Outcome } from "../outbox.ts";
import { findChannelDelivery } from "../queries/channel-deliveries.ts";
import type { Channel } from "../queries/channels.ts";
import { insertChannelDeliveries, type NewChannelDelivery, saveOutcome } from "../queries/outbox.ts";
import { LEASE_MS } from "../retry-rules.ts";
import { ChannelTest, projectChannelTest } from "../schemas/channels.ts";
import { findChannelMeant } from "./channels.ts";

/** The longest that a caller waits for an answer. */
const TIMEOUT_MS = 30_000;

/** A message that only this operation sends. */
const testDelivery = (channel: Channel, now: number): NewChannelDelivery => ({
  ...deliveryOf(toChannel(channel), testMessage(now), now),
  givesUpAt: now + LEASE_MS,
});

/** Sends a test message, says at once what the other side answered, whatever it is, and keeps that in the log. Throws 404. */
export const testChannel = verb({
  resource: "notifications",
  action: "write",
  audit: "test channels",
  hints: { openWorld: true },
  input: IdParams,
  output: ChannelTest,
  find: findChannelMeant,
  prepare: (ctx, _, channel) => tryChannel(ctx, channel),
  async run(ctx, _, tried) {
    await keepTry(ctx, tried);
    ctx.record({ id: tried.channel.id, name: tried.channel.name });
    return projectChannelTest(tried.outcome);
  },
});

/** A test message that was sent, and what became of it. */
interface Tried {
  channel: Channel;
  delivery: NewChannelDelivery;
  outcome: Outcome;
}

/** Sends a test message to a channel; keepTry is to follow. */
export async function tryChannel(ctx: Context, channel: Channel): Promise<Tried> {
  const now = ctx.clock.now();
  const delivery = testDelivery(channel, now);
  const attempt = {
    ...delivery,
    id: 0,
    transport: "channel" as const,
    content: "",
    attempts: 1,
    failure: null,
    incidentId: null,
    subject: null,
    subscriberId: null,
    pageNotificationId: null,
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const outcome = await outcomeOf(
    ctx,
    { ...attempt, createdAt: now },
    { transport: channelTransport, signal },
  );
  return { channel, delivery, outcome };
}

/** Writes a test message into the channel's log. */
export async function keepTry(ctx: Running, { delivery, outcome }: Tried): Promise<void> {
  const { db, clock } = ctx;
  await insertChannelDeliveries(db, [delivery], { now: clock.now(), heldUntil: delivery.givesUpAt });
  const row = await findChannelDelivery(db, delivery.channelId, { uuid: delivery.uuid });
  if (!row) throw notFound();
  await saveOutcome(
    db,
    row,
    outcome.is === "sent" ? { state: "sent" } : { state: "failed", failure: outcome.why },
  );
  await applyOutcomeToChannel(ctx, db, row, finalOutcome(outcome));
}

/** It is not retried; the caller sees the failure, so no one else needs to be notified. */
function finalOutcome(outcome: Outcome): Outcome {
  if (outcome.is === "sent") return outcome;
  return { is: "refused", why: outcome.why, ...(outcome.log && { log: outcome.log }) };
}
