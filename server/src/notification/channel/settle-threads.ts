import type { Db } from "../../store/db.ts";
import { closeThreads, releaseThreads } from "../../store/queries/channel-threads.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listOutageFacts, outageKey } from "../../store/queries/notifications.ts";
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
import { type Fact, fact } from "../../texts/fact.ts";
import { listBeginnings } from "./beginning.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { wants } from "./filter.ts";
import { eventOf, type Message, type MessageMonitor, newMessage } from "./message.ts";
import { leftIn, type Step, stepsFor } from "./outage-rules.ts";
import { isProgram } from "./registry.ts";
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
  // The end of one outage may be that of another, of which its channel was told elsewhere.
  for (let next: WhichThreads | null = which; next; ) {
    const outages = await listThreadOutages(trx, next);
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
      isDown: (one) => standing.down.has(standingKey(one)),
    });
    const over = steps.filter((step): step is Of<"over"> => step.is === "over");
    const untold = steps.filter((step): step is Of<"untold"> => step.is === "untold");
    const { told, ends } = await endsToTell(trx, over, byId);
    const ended = steps.flatMap((step) => (step.is === "untold" ? [] : step.outages.map(({ id }) => id)));
    const elsewhere = endedElsewhere(told, standing.ended, new Set(ended));
    await tellEnds(trx, ends, now);
    await noteToldEnds(trx, [...ended, ...elsewhere.map(({ id }) => id)], now);
    const moved = await tellAnew(trx, untold, { byId, now });
    await endWith(trx, outages, new Set([...ended, ...moved]), now);
    next = elsewhere.length > 0 ? { threadIds: elsewhere.map(({ threadId }) => threadId) } : null;
  }
}

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

/** That what belongs together is over, as its channel is told. */
interface End {
  channel: Channel;
  threadId: number;
  message: Message;
}

/** Which of these are told, and in which words: each channel hears the end of what it wants to hear the end of. */
async function endsToTell(
  trx: Db,
  over: readonly Of<"over">[],
  byId: ReadonlyMap<number, Channel>,
): Promise<{ told: Of<"over">[]; ends: End[] }> {
  if (over.length === 0) return { told: [], ends: [] };
  const firsts = over.flatMap(({ named: [first] }) => first ?? []);
  const monitors = await listMessageMonitors(
    trx,
    firsts.map(({ monitorId }) => monitorId),
  );
  // What a device had is told by what was said of it.
  const ofDevices = firsts.filter(({ monitorId }) => monitors.get(monitorId)?.kind === "device");
  const facts = ofDevices.length > 0 ? await listOutageFacts(trx, ofDevices) : new Map<string, Fact>();
  const found = over.flatMap((step) => {
    const [first] = step.named;
    const channel = first && byId.get(first.channelId);
    const monitor = first && monitors.get(first.monitorId);
    if (!channel || !first) return [];
    const message = monitor ? endOf(step.named, monitor, facts.get(outageKey(first))) : null;
    const event = message ? eventOf({ ...message, event: "monitor.up" }) : "monitor.up";
    const isWanted = wants(channel, { event, isEnd: true, severity: "high", tags: [] }, true);
    return isWanted ? [{ step, channel, threadId: first.threadId, message }] : [];
  });
  return {
    told: found.map(({ step }) => step),
    ends: found.flatMap(({ message, channel, threadId }) => (message ? { message, channel, threadId } : [])),
  };
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

async function tellEnds(trx: Db, ends: readonly End[], now: number): Promise<void> {
  const deliveries = ends.map(({ channel, threadId, message }) =>
    deliveryOf({ ...toChannel(channel), threadId }, message, now),
  );
  await insertChannelDeliveries(trx, deliveries, { now });
}

/** `begun`: what was said of a device's outage when it began. */
function endOf(named: readonly ThreadOutage[], monitor: MessageMonitor, begun: Fact | undefined): Message {
  const at = Math.max(...named.map(({ endedAt }) => Number(endedAt)));
  const outageMs = at - Math.min(...named.map(({ startedAt }) => startedAt));
  const { name, kind } = monitor;
  const since = new Date(at).toISOString();
  const incidentId = named[0]?.incidentId ?? null;
  const outages = named.map(({ id }) => id);
  const told = { event: "monitor.up", type: "success", at, outageMs, incidentId, monitor } as const;
  const ofDevice = begun?.code === "notice.critical" ? "notice.healthy" : "notice.back_online";
  const code = kind === "device" ? ofDevice : "notice.recovered";
  return newMessage({
    ...told,
    outages,
    fact:
      named.length === 1
        ? fact(code, { name, since, lasted: outageMs })
        : fact("notice.recovered_together", { name, others: named.length - 1, since }),
  });
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
