import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  listFlaps,
  listOpenThreads,
  type OpenThread,
  releaseThreads,
} from "../../store/queries/channel-threads.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { noteToldEnds } from "../../store/queries/thread-outage-changes.ts";
import { listThreadOutages, type ThreadOutage } from "../../store/queries/thread-outages.ts";
import { withoutSecondMails } from "../person/second-mails.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { type ChannelEvent, wants } from "./filter.ts";
import { endsTrouble, eventOf, type Message, type MessageMonitor } from "./message.ts";
import type { Telling } from "./settle-threads.ts";
import { byThreadKey, openThreadsOf, type ToldNotice, threadKey } from "./telling.ts";

/** A notice, and what channels are told of it. */
export interface MonitorNews extends ToldNotice {
  monitor: MessageMonitor;
  message: Message;
}

/** The threads of a channel in which there was something about a monitor. */
interface Heard {
  /** That of its outage, which is open, or has just ended. */
  outages: ThreadOutage[];
  /** That of what else was told of it: it may be the same. */
  ownId: number | undefined;
}

/** What a channel is told, and in which thread; null: in one that is to be opened. */
interface Wanted {
  channel: Channel;
  monitor: MessageMonitor;
  goesOn: boolean;
  message: Message;
  threadId: number | null;
  /** Outages whose end is told with it. */
  ended: readonly ThreadOutage[];
}

/**
 * Tells channels what is no beginning of an outage: that a monitor is degraded, flaps, has settled, or is not reported on any
 * more, and the end of that. The end of an outage of which a channel was told is told with its others (settle-threads.ts),
 * unless something else of the monitor ends with it here. Returns the threads of those of which it does.
 */
export async function tellOfMonitors(
  trx: Db,
  news: readonly MonitorNews[],
  { channels, now }: Telling,
): Promise<number[]> {
  if (news.length === 0 || channels.length === 0) return [];
  const monitorIds = news.map(({ monitorId }) => monitorId);
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    monitorIds,
  );
  const own = byThreadKey(open);
  const outages = await listThreadOutages(trx, { monitorIds });
  const byKey = Map.groupBy(outages, ({ channelId, monitorId }) => threadKey(channelId, monitorId));
  const settled = news.filter(({ event }) => event === "monitor.settled");
  const flaps = await listFlaps(
    trx,
    settled.map(({ monitorId }) => monitorId),
    [...open.map(({ id }) => id), ...outages.map(({ threadId }) => threadId)],
  );
  const byOrganization = Map.groupBy(channels, ({ organizationId }) => organizationId);
  const wanted = news.flatMap((one) => {
    const wanting = (byOrganization.get(one.organizationId) ?? []).flatMap((channel): Wanted[] => {
      const key = threadKey(channel.id, one.monitorId);
      const told = wantedOf(channel, one, { outages: byKey.get(key) ?? [], ownId: own.get(key) }, flaps);
      return told ? [{ channel, monitor: one.monitor, ...told }] : [];
    });
    return withoutSecondMails(wanting, now);
  });
  await write(trx, wanted, now);
  const ended = wanted.flatMap((one) => one.ended);
  const gone = new Set(ended.map(({ id }) => id));
  await noteToldEnds(trx, [...gone], now);
  await endOwn(trx, news, { open, outages: outages.filter(({ id }) => !gone.has(id)) }, now);
  return [...new Set(ended.map(({ threadId }) => threadId))];
}

type Flaps = ReadonlySet<string>;

function wantedOf(
  channel: Channel,
  { message, otherwise, monitor }: MonitorNews,
  { outages, ownId }: Heard,
  flaps: Flaps,
): Pick<Wanted, "goesOn" | "message" | "threadId" | "ended"> | null {
  const heardIn = outages.at(-1)?.threadId ?? ownId;
  const over = outages.filter(({ endedAt }) => endedAt !== null);
  if (message.event === "monitor.settled") {
    const flapped = [...outages.map(({ threadId }) => threadId), ownId].find(
      (id) => id !== undefined && flaps.has(`${id} ${monitor.id}`),
    );
    if (flapped !== undefined) return { goesOn: true, message, threadId: flapped, ended: over };
  }
  const plain = message.event === "monitor.settled" ? otherwise && upOf(message, otherwise) : message;
  if (!plain) return null;
  const { severity, tags } = monitor;
  const isEnd = plain.event === "monitor.up";
  const filtered = {
    event: eventOf({ ...plain, event: plain.event as ChannelEvent }),
    isEnd,
    severity,
    tags,
  };
  if (!endsTrouble(plain)) {
    const goesOn = heardIn !== undefined;
    return wants(channel, filtered, goesOn)
      ? { goesOn, message: plain, threadId: heardIn ?? null, ended: [] }
      : null;
  }
  // An outage that is told of in the same thread is told to be over there.
  const isOfOutage = outages.some(({ threadId }) => threadId === ownId);
  if (ownId === undefined || isOfOutage || !wants(channel, filtered, true)) return null;
  return { goesOn: true, message: plain, threadId: ownId, ended: over };
}

const upOf = (message: Message, fact: Message["fact"]): Message => ({
  ...message,
  event: "monitor.up",
  fact,
});

async function write(trx: Db, wanted: readonly Wanted[], now: number): Promise<void> {
  const opening = wanted.filter(({ threadId }) => threadId === null);
  const opened = opening.map(({ channel: { id: channelId, organizationId }, monitor }) => ({
    ...{ organizationId, channelId, monitorId: monitor.id },
  }));
  const threads = await openThreadsOf(trx, opened, now);
  const deliveries = wanted.map(({ channel, monitor, message, threadId }) => {
    const id = threadId ?? threads.get(threadKey(channel.id, monitor.id)) ?? null;
    return deliveryOf({ ...toChannel(channel), threadId: id }, message, now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

/** What is told of a monitor by itself is over with its trouble. `outages`: those that go on, or are still to be told as over. */
async function endOwn(
  trx: Db,
  news: readonly MonitorNews[],
  { open, outages }: { open: readonly OpenThread[]; outages: readonly ThreadOutage[] },
  now: number,
): Promise<void> {
  const ending = new Set(
    news.filter(({ message }) => endsTrouble(message)).map(({ monitorId }) => monitorId),
  );
  const over = open.flatMap(({ id, monitorId }) => (ending.has(monitorId) ? id : []));
  const byThread = Map.groupBy(outages, ({ threadId }) => threadId);
  await closeThreads(
    trx,
    over.filter((id) => !byThread.has(id)),
    now,
  );
  const shared = over.filter((id) => byThread.get(id)?.every((one) => one.subjectId !== one.monitorId));
  await releaseThreads(trx, shared);
}
