import type { Db } from "../../store/db.ts";
import { listPacedChannels, type PacedChannel } from "../../store/queries/channel-pace.ts";
import type { Due } from "../../store/queries/claim-deliveries.ts";
import { forgetReplaced, forgetTellings } from "../../store/queries/thread-outage-changes.ts";
import {
  delayUntold,
  dropUntold,
  hurryEarlier,
  insertDigest,
  listUndecidedChannels,
  listUntold,
  readFollowedEvent,
  releaseUntold,
  type UntoldDelivery,
} from "../../store/queries/untold.ts";
import { fact } from "../../texts/fact.ts";
import { CHANNEL_WORTH_MS } from "../rules.ts";
import { deliveryOf } from "./delivery.ts";
import { digestOf } from "./digest.ts";
import { listReplaced, toldSingly } from "./members.ts";
import { isOfIncident, type Message, settlesTrouble, severityOf } from "./message.ts";
import { type Plan, planOf, SINGLE_EVENTS, sentNow, type Untold } from "./pace.ts";
import { channelKind } from "./registry.ts";
import { type ReadDelivery, readWaited, type Waited } from "./waited.ts";

/** Looked at in one round; the rest is in the next. */
const CHANNELS_A_ROUND = 8;
const MESSAGES_OF_ONE = 5_000;

/**
 * Decides what of the messages that are due for the first time is sent now, waits, or becomes one (pace.ts), channel by
 * channel until there is something to send. In the transaction that claims them, in which nobody else does. None of the
 * channels that were looked at has anything due to decide on before something was sent to it.
 */
export async function gatherUntold(trx: Db, due: Due): Promise<void> {
  let isAnySent = false;
  while (!isAnySent) {
    const ids = await listUndecidedChannels(trx, due, CHANNELS_A_ROUND);
    if (ids.length === 0) return;
    for (const channel of await listPacedChannels(trx, ids)) {
      isAnySent = (await gatherFor(trx, channel, due)) || isAnySent;
    }
  }
}

/** Returns whether there is something to send. */
async function gatherFor(trx: Db, channel: PacedChannel, limits: Due): Promise<boolean> {
  const { now } = limits;
  const isProgram = channelKind(channel.type)?.isProgram === true;
  const due = await listUntold(trx, channel.id, limits, MESSAGES_OF_ONE);
  const { free, blocked } = inTheirOrder(due);
  const isHurried = await waitForEarlier(trx, blocked, now);
  const plan = await planFor(trx, { ...channel, isProgram }, free, now);
  await carryOut(trx, free, plan, now);
  const released = releasedOf(free, plan, isProgram);
  await releaseUntold(trx, released, now);
  return isHurried || released.length > 0 || plan.digest !== null;
}

/** Of what has to come in order: its thread, and what it is about. */
const orderedBy = ({ threadId, subject }: UntoldDelivery): string[] =>
  subject === null ? [`thread ${threadId}`] : [`thread ${threadId}`, subject];

interface Blocked {
  delivery: UntoldDelivery;
  until: number;
}

/** What has to wait for something earlier, or for something else that has to, and what need not. `deliveries`: oldest first. */
function inTheirOrder(deliveries: readonly UntoldDelivery[]): { free: UntoldDelivery[]; blocked: Blocked[] } {
  const free: UntoldDelivery[] = [];
  const blocked: Blocked[] = [];
  const waiting = new Map<string, number>();
  for (const delivery of deliveries) {
    const order = orderedBy(delivery);
    const before = [
      delivery.blockedInThread,
      delivery.blockedBySubject,
      ...order.map((one) => waiting.get(one)),
    ];
    const until = Math.max(...before.map((at) => Number(at ?? 0)));
    if (until === 0) {
      free.push(delivery);
      continue;
    }
    blocked.push({ delivery, until });
    for (const one of order) waiting.set(one, until);
  }
  return { free, blocked };
}

/**
 * Looked at again when what is earlier is tried. That is at once where there is something new to say: a channel that was away for
 * long is not to hear of it hours later. Returns whether something is.
 */
async function waitForEarlier(trx: Db, blocked: readonly Blocked[], now: number): Promise<boolean> {
  const fresh = blocked.flatMap(({ delivery: { id, createdAt, nextTryAt } }) =>
    Number(nextTryAt) === Number(createdAt) ? id : [],
  );
  const isHurried = await hurryEarlier(trx, fresh, now);
  const hurried = new Set(isHurried ? fresh : []);
  const byTime = Map.groupBy(blocked, ({ delivery, until }) =>
    hurried.has(delivery.id) ? now + 1 : Math.max(until, now + 1),
  );
  for (const [until, some] of byTime) {
    const ids = some.map(({ delivery }) => delivery.id);
    await delayUntold(trx, ids, { until, isHeld: false, worthMs: CHANNEL_WORTH_MS });
  }
  return isHurried;
}

/**
 * What goes now: to people one message, since by the next one's turn there may be more to say; to a program the first of
 * each thread that is the first about its subject, too.
 */
function releasedOf(deliveries: readonly UntoldDelivery[], plan: Plan, isProgram: boolean): number[] {
  const ids = sentNow(
    deliveries.map(({ id }) => id),
    plan,
  );
  if (!isProgram) return ids.slice(0, 1);
  const wanted = new Set(ids);
  const begun = new Set<string>();
  return deliveries.flatMap((delivery) => {
    if (!wanted.has(delivery.id)) return [];
    const order = orderedBy(delivery);
    const isFirst = order.every((one) => !begun.has(one));
    for (const one of order) begun.add(one);
    return isFirst ? delivery.id : [];
  });
}

async function planFor(
  trx: Db,
  channel: PacedChannel & { isProgram: boolean },
  deliveries: readonly UntoldDelivery[],
  now: number,
): Promise<Plan> {
  const followedAt = await readFollowedEvent(trx, channel.id, SINGLE_EVENTS);
  const read = deliveries.map((one) => ({ ...one, message: JSON.parse(one.message) as Message }));
  const waited = await readWaited(trx, read);
  return planOf(
    read.map((one) => untoldOf(one, waited)),
    { ...channel, followedAt },
    now,
  );
}

function untoldOf({ message, ...delivery }: ReadDelivery, { over, saidBy, shared }: Waited): Untold {
  const { id, threadId, incidentId, createdAt, heldUntil, closedAt, toldAt } = delivery;
  return {
    ...{ id, threadId, incidentId, createdAt },
    monitorId: message.monitor?.id ?? null,
    event: message.event as Untold["event"],
    severity: severityOf(message) ?? "high",
    isHeld: heldUntil !== null,
    // Whoever hears of an incident at its end hears of that for the first time.
    isEnd: settlesTrouble(message) && (toldAt !== null || !isOfIncident(message)),
    isOver: over.has(id) || (closedAt !== null && !isOfIncident(message)),
    saidBy: saidBy.get(id) ?? [],
    isShared: shared.has(id),
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
  if (over.length > 0) {
    await dropUntold(trx, over, fact("delivery.over"));
    // What was down with it, and is in a maintenance window, is told after that.
    await forgetTellings(trx, over);
  }
  const read = (ids: readonly number[]) => readOf(deliveries, ids);
  if (outdated.length > 0) {
    await dropUntold(trx, outdated, fact("delivery.outdated"));
    // What is newer says that others are down: nobody is told of what is up by now.
    await forgetReplaced(trx, await listReplaced(trx, read(outdated)));
  }
  if (unheard.length > 0) await dropUntold(trx, unheard, fact("delivery.untold"));
  const [first] = deliveries;
  if (!digest || !first) return;
  const messages = read(digest.ids);
  await forgetReplaced(trx, await listReplaced(trx, messages));
  const one = digestOf(await toldSingly(trx, messages), digest.isSummary);
  const to = { ...first, isOwn: first.userId !== null, threadId: null };
  // It is worth no more than what it says.
  const givesUpAt = Math.max(...messages.map((each) => each.givesUpAt));
  await insertDigest(trx, { ...deliveryOf(to, one, now), givesUpAt }, digest.ids, now);
}

/** Those of these deliveries, with what they say. */
function readOf(deliveries: readonly UntoldDelivery[], ids: readonly number[]): ReadDelivery[] {
  const wanted = new Set(ids);
  return deliveries
    .filter(({ id }) => wanted.has(id))
    .map((one) => ({ ...one, message: JSON.parse(one.message) as Message }));
}
