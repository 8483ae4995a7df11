import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { WatchEnded } from "../../status/state.ts";
import type { Db } from "../../store/db.ts";
import { closeThreads, listOpenThreads } from "../../store/queries/channel-threads.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries, type NewChannelDelivery } from "../../store/queries/outbox.ts";
import { endThreadOutages, noteToldEnds } from "../../store/queries/thread-outage-changes.ts";
import { listThreadOutages } from "../../store/queries/thread-outages.ts";
import { lockThreads } from "../../store/queries/threads-together.ts";
import { fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { type Message, type MessageMonitor, newMessage } from "./message.ts";
import { isProgram } from "./registry.ts";
import { endWith, settleThreads, type Telling } from "./settle-threads.ts";

type Unwatched = ReadonlyMap<number, WatchEnded>;

/** Those of these that nobody watches any more, and why, by their numbers. */
export const unwatchedOf = (changed: readonly ChangedMonitor[]): Unwatched =>
  new Map(
    changed.flatMap(({ monitor, events }) => {
      const ended = events.find((event) => event.type === "watch_ended");
      return ended ? [[monitor.monitorId, ended] as const] : [];
    }),
  );

/**
 * Nobody watches these any more: who stopped that knows, and no people are told. What comes later is another story. People are told of what
 * they know of by these alone and is still down; programs are told that it ended, since an alert that a pager has open would stay so.
 */
export async function endUnwatched(trx: Db, unwatched: Unwatched, { channels, now }: Telling): Promise<void> {
  const monitorIds = [...unwatched.keys()];
  if (monitorIds.length === 0) return;
  const locked = await lockThreads(trx, monitorIds);
  await endThreadOutages(
    trx,
    [...unwatched].map(([monitorId, { at }]) => ({ monitorId, at })),
  );
  const outages = await listThreadOutages(trx, { monitorIds });
  const own = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    monitorIds,
  );
  const ended = outages.filter(({ monitorId }) => unwatched.has(monitorId));
  await tellPrograms(trx, { threads: own, unwatched }, { channels, now });
  const gone = new Set(ended.map(({ id }) => id));
  await noteToldEnds(trx, [...gone], now);
  await endWith(trx, outages, gone, now);
  const left = outages.filter(({ id }) => !gone.has(id));
  const shared = new Set(left.map(({ threadId }) => threadId));
  await closeThreads(
    trx,
    own.flatMap(({ id }) => (shared.has(id) ? [] : id)),
    now,
  );
  // What was all that was known of others may have been told in a thread that is closed by now.
  const over = new Set(outages.map(({ threadId }) => threadId));
  const beside = locked.filter((id) => !over.has(id));
  await settleThreads(trx, { threadIds: [...shared, ...beside] }, { channels, now });
}

interface Ended {
  threads: Awaited<ReturnType<typeof listOpenThreads>>;
  unwatched: Unwatched;
}

/** To a program each monitor is a trouble of its own, with a thread of its own. */
async function tellPrograms(
  trx: Db,
  { threads, unwatched }: Ended,
  { channels, now }: Telling,
): Promise<void> {
  const programs = new Map(channels.filter(({ type }) => isProgram(type)).map((one) => [one.id, one]));
  const theirs = threads.filter(({ channelId }) => programs.has(channelId));
  const monitors = await listMessageMonitors(
    trx,
    theirs.map(({ monitorId }) => monitorId),
  );
  const deliveries = theirs.flatMap(({ id: threadId, channelId, monitorId }): NewChannelDelivery[] => {
    const [channel, monitor, ended] = [
      programs.get(channelId),
      monitors.get(monitorId),
      unwatched.get(monitorId),
    ];
    if (!channel || !monitor || !ended) return [];
    return [deliveryOf({ ...toChannel(channel), threadId }, messageOf(monitor, ended), now)];
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

function messageOf(monitor: MessageMonitor, { at, reason }: WatchEnded): Message {
  const said = fact("notice.unwatched", { name: monitor.name, since: new Date(at).toISOString() });
  const because = { fact: { ...said, because: reason }, reason };
  return newMessage({ event: "monitor.stopped", type: "info", at, monitor, ...because });
}
