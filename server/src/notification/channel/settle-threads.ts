import type { Db } from "../../store/db.ts";
import { closeThreads, releaseThreads } from "../../store/queries/channel-threads.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { insertChannelDeliveries, type NewChannelDelivery } from "../../store/queries/outbox.ts";
import {
  moveThreadOutages,
  noteToldEnds,
  noteToldOutages,
} from "../../store/queries/thread-outage-changes.ts";
import {
  listStanding,
  listThreadOutages,
  standingKey,
  type ThreadOutage,
  type WhichThreads,
} from "../../store/queries/thread-outages.ts";
import { listThreadsTogether } from "../../store/queries/threads-together.ts";
import { listBeginnings } from "./beginning.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { leftIn, type Step, stepsFor } from "./outage-rules.ts";
import { hasThreads, isProgram } from "./registry.ts";
import { tellEnds } from "./tell-ends.ts";
import { openThreadsOf, threadKey } from "./telling.ts";

/** To whom it is told, and when. */
export interface Telling {
  /** Those of the organizations concerned that are told at all. */
  channels: readonly Channel[];
  now: number;
}

type Of<Is extends Step<unknown>["is"]> = Extract<Step<ThreadOutage>, { is: Is }>;

/**
 * Brings what channels were told of outages in these threads in line with what is so now (outage-rules.ts): ends are told, and what
 * a channel knows of only by what is over, or somewhere else, by now is told by itself. The threads are locked.
 */
export async function settleThreads(trx: Db, which: WhichThreads, { channels, now }: Telling): Promise<void> {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const isWhole = (id: number) => tellsOfWhole(byId.get(id));
  // The end of one outage may be that of another, of which its channel was told elsewhere.
  for (let next: WhichThreads | null = which; next; ) {
    const outages = await listTogether(trx, next, { isWhole });
    const left = new Set(outages.map(({ threadId }) => threadId));
    await closeThreads(
      trx,
      (next.threadIds ?? []).filter((id) => !left.has(id)),
      now,
    );
    if (outages.length === 0) return;
    const standing = await listStanding(
      trx,
      outages.map(({ monitorId }) => monitorId),
    );
    const steps = stepsFor(outages, {
      isAlone: (id) => isProgram(byId.get(id)?.type ?? ""),
      isWhole,
      isDown: (one) => standing.down.has(standingKey(one)),
    });
    const over = steps.filter((step): step is Of<"over"> => step.is === "over");
    const untold = steps.filter((step): step is Of<"untold"> => step.is === "untold");
    const told = await tellEnds(trx, over, { byId, now });
    const ended = steps.flatMap((step) => (step.is === "untold" ? [] : step.outages.map(({ id }) => id)));
    const elsewhere = endedElsewhere(told, standing.ended, new Set(ended));
    await noteToldEnds(trx, [...ended, ...elsewhere.map(({ id }) => id)], now);
    const moved = await tellAnew(trx, untold, { byId, now });
    await endWith(trx, outages, new Set([...ended, ...moved]), now);
    next = elsewhere.length > 0 ? { threadIds: elsewhere.map(({ threadId }) => threadId) } : null;
  }
}

/** What these threads tell of; with what others of their channels tell of the same incidents, where these are told as one. */
async function listTogether(
  trx: Db,
  which: WhichThreads,
  { isWhole }: { isWhole: (channelId: number) => boolean },
): Promise<ThreadOutage[]> {
  const own = await listThreadOutages(trx, which);
  const threads = new Set(own.flatMap(({ threadId, channelId }) => (isWhole(channelId) ? threadId : [])));
  const together = await listThreadsTogether(trx, [...threads]);
  const others = together.filter((id) => !threads.has(id));
  if (others.length === 0) return own;
  const more = await listThreadOutages(trx, { threadIds: others });
  const known = new Set(own.map(({ threadId }) => threadId));
  return [
    ...own,
    ...more.filter(({ threadId, channelId }) => isWhole(channelId) && !known.has(threadId)),
  ].toSorted((a, b) => a.id - b.id);
}

/**
 * Whether what people brought together is told as one. Not where each thread has a message that its end is to replace or to answer; nor
 * where one is heard that waits for the channel's hours in the other.
 */
const tellsOfWhole = (channel: Channel | undefined): boolean =>
  channel !== undefined && channel.hours === null && !hasThreads(channel.type);

/** Closes the threads in which nothing of these is left but what is gone, and lets the others go on without what they were about. */
export async function endWith(
  trx: Db,
  outages: readonly ThreadOutage[],
  gone: ReadonlySet<number>,
  now: number,
): Promise<void> {
  const { over, released } = leftIn(outages, gone);
  await closeThreads(trx, over, now);
  await releaseThreads(trx, released);
}

/** Who hears that a monitor is up hears the end of all that it was told of that. */
function endedElsewhere<T extends Pick<ThreadOutage, "id" | "channelId" | "monitorId">>(
  told: readonly Of<"over">[],
  ended: readonly T[],
  known: ReadonlySet<number>,
): T[] {
  const heard = new Set(told.flatMap(({ named }) => named.map(standingKey)));
  return ended.filter((one) => !known.has(one.id) && heard.has(standingKey(one)));
}

interface Using {
  byId: ReadonlyMap<number, Channel>;
  now: number;
}

/** In threads of their own, since what was told where they were is over. Returns those of which it was told. */
async function tellAnew(trx: Db, steps: readonly Of<"untold">[], { byId, now }: Using): Promise<number[]> {
  const untold = steps.flatMap((step) => {
    const channel = byId.get(step.first.channelId);
    return channel ? [{ ...step, channel }] : [];
  });
  if (untold.length === 0) return [];
  const firsts = untold.map(({ first }) => first);
  const beginnings = await listBeginnings(trx, firsts);
  // What led its thread has another one from now on.
  await releaseThreads(
    trx,
    untold.flatMap(({ first }) => (first.subjectId === first.monitorId ? first.threadId : [])),
  );
  const own = untold.map(({ first: { monitorId }, channel: { id: channelId, organizationId } }) => ({
    ...{ organizationId, channelId, monitorId },
  }));
  const threads = await openThreadsOf(trx, own, now);
  const moves = untold.flatMap(({ first, outages }) => {
    const threadId = threads.get(threadKey(first.channelId, first.monitorId));
    return threadId === undefined ? [] : outages.map(({ id }) => ({ id, threadId }));
  });
  await moveThreadOutages(trx, moves);
  await noteToldOutages(
    trx,
    firsts.map(({ id }) => id),
    now,
  );
  const deliveries = untold.flatMap(({ first, channel }, at): NewChannelDelivery[] => {
    const message = beginnings[at]?.message;
    const threadId = threads.get(threadKey(first.channelId, first.monitorId)) ?? null;
    return message ? [deliveryOf({ ...toChannel(channel), threadId }, message, now)] : [];
  });
  await insertChannelDeliveries(trx, deliveries, { now });
  return moves.map(({ id }) => id);
}
