import type { Db } from "../../store/db.ts";
import { listPacedChannels, type PacedChannel } from "../../store/queries/channel-pace.ts";
import {
  delayUntold,
  dropUntold,
  insertDigest,
  listUntold,
  readFollowedEvent,
  releaseUntold,
  type UntoldDelivery,
} from "../../store/queries/untold.ts";
import { fact } from "../../texts/fact.ts";
import { CHANNEL_WORTH_MS } from "../rules.ts";
import { deliveryOf } from "./delivery.ts";
import { digestOf } from "./digest.ts";
import { type Message, settlesTrouble } from "./message.ts";
import { type Plan, planOf, SINGLE_EVENTS, sentNow, type Untold } from "./pace.ts";
import { channelKind } from "./registry.ts";

/** Looked at in one round; the rest is in the next. */
const ROUND = 5_000;

/**
 * Decides what of the messages that are due for the first time is sent now, waits, or becomes one (pace.ts). In the
 * transaction that claims them, in which nobody else does.
 */
export async function gatherUntold(trx: Db, now: number): Promise<void> {
  const untold = await listUntold(trx, now, ROUND);
  if (untold.length === 0) return;
  const byChannel = Map.groupBy(untold, ({ channelId }) => channelId);
  for (const channel of await listPacedChannels(trx, [...byChannel.keys()])) {
    const own = byChannel.get(channel.id) ?? [];
    const isProgram = channelKind(channel.type)?.isProgram === true;
    const plan = await planFor(trx, { ...channel, isProgram }, own, now);
    await carryOut(trx, own, plan, now);
    const rest = sentNow(
      own.map(({ id }) => id),
      plan,
    );
    // To people one at a time: by the next one's turn there may be more to say.
    await releaseUntold(trx, isProgram ? rest : rest.slice(0, 1), now);
  }
}

async function planFor(
  trx: Db,
  channel: PacedChannel & { isProgram: boolean },
  deliveries: readonly UntoldDelivery[],
  now: number,
): Promise<Plan> {
  const followedAt = await readFollowedEvent(trx, channel.id, SINGLE_EVENTS);
  return planOf(deliveries.map(untoldOf), { ...channel, followedAt }, now);
}

function untoldOf(delivery: UntoldDelivery): Untold {
  const { id, createdAt, heldUntil, closedAt, toldAt } = delivery;
  const message = JSON.parse(delivery.message) as Message;
  const { monitor, incidentId } = message;
  return {
    id,
    threadId: delivery.threadId ?? -(incidentId ?? 0),
    createdAt,
    event: message.event as Untold["event"],
    severity: monitor?.severity ?? message.severity ?? "high",
    isHeld: heldUntil !== null,
    isEnd: settlesTrouble(message),
    isOver: closedAt !== null,
    isTold: toldAt !== null,
  };
}

async function carryOut(
  trx: Db,
  deliveries: readonly UntoldDelivery[],
  { held, waiting, over, outdated, unheard, digest }: Plan,
  now: number,
): Promise<void> {
  const worthMs = CHANNEL_WORTH_MS;
  if (held) await delayUntold(trx, held.ids, { until: held.until, isHeld: true, worthMs });
  if (waiting) await delayUntold(trx, waiting.ids, { until: waiting.until, isHeld: false, worthMs });
  if (over.length > 0) await dropUntold(trx, over, fact("delivery.over"));
  if (outdated.length > 0) await dropUntold(trx, outdated, fact("delivery.outdated"));
  if (unheard.length > 0) await dropUntold(trx, unheard, fact("delivery.untold"));
  const [first] = deliveries;
  if (!digest || !first) return;
  const digested = deliveries.filter(({ id }) => digest.ids.includes(id));
  const messages = digested.map(({ message }) => JSON.parse(message) as Message);
  const one = digestOf(messages, digest.isSummary);
  const to = { ...first, isOwn: first.userId !== null, threadId: null };
  await insertDigest(trx, deliveryOf(to, one, now), digest.ids, now);
}
