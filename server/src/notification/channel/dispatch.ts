import type { OutageIncident } from "../../incident/live-incident.ts";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  listFlappingThreads,
  listOpenThreads,
  type OpenThread,
  openThreads,
} from "../../store/queries/channel-threads.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listKnownNotices } from "../../store/queries/notifications.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import type { Mailing } from "../person/known-address.ts";
import { withoutSecondMails } from "../person/second-mails.ts";
import type { ChannelNews, RecordedNotice } from "../record-notices.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { endThreads } from "./end-threads.ts";
import { type ChannelEvent, wants } from "./filter.ts";
import { endsTrouble, type Message, type MessageMonitor } from "./message.ts";

/** What is asked of a notice to tell it. */
type ToldNotice = Pick<
  RecordedNotice,
  "uuid" | "organizationId" | "incidentId" | "at" | "reason" | "outageMs" | "channels"
>;

/**
 * Writes into the outbox what the channels of these organizations and of their people are to be told, in the
 * transaction of what happened. A monitor's notices follow each other: everybody's first is one round of bulk statements,
 * everybody's second the next.
 */
export async function dispatchNotices(
  trx: Db,
  recorded: readonly ToldNotice[],
  { changed, incidents }: { changed: readonly ChangedMonitor[]; incidents: readonly OutageIncident[] },
  { now, mailing }: { now: number; mailing: Mailing },
): Promise<void> {
  await endThreads(trx, changed, incidents, now);
  if (recorded.length === 0) return;
  const organizationIds = [...new Set(recorded.map((one) => one.organizationId))];
  const channels = await listChannelsToTell(trx, organizationIds, mailing);
  if (channels.length === 0) return;
  // What another process has told before is told already.
  const known = await listKnownNotices(
    trx,
    recorded.map(({ uuid }) => uuid),
  );
  const items = recorded
    .filter(({ uuid }) => known.has(uuid))
    .flatMap((notice) => notice.channels.map((news) => ({ notice, news })));
  const monitors = await listMessageMonitors(
    trx,
    items.flatMap(({ news: { monitorId, spokenForBy } }) => [monitorId, spokenForBy ?? monitorId]),
  );
  const rounds = [...Map.groupBy(items, ({ news }) => news.monitorId).values()];
  for (let round = 0; rounds.some((own) => own.length > round); round += 1) {
    const told = rounds
      .flatMap((own) => own[round] ?? [])
      .flatMap(({ notice, news }): Told[] => {
        const monitor = monitors.get(news.monitorId);
        const speaker = monitors.get(news.spokenForBy ?? 0) ?? null;
        return monitor ? [{ notice, ...messagesOf(notice, news, monitor, changed), monitor, speaker }] : [];
      });
    const [first, after] = [told.filter(({ speaker }) => !speaker), told.filter(({ speaker }) => speaker)];
    for (const some of [first, after]) await dispatchRound(trx, some, channels, now);
  }
}

interface Told {
  notice: ToldNotice;
  message: Message;
  /** To who was not told that it flaps. */
  otherwise: Message | null;
  monitor: MessageMonitor;
  /** Whose thread says it already, where a channel has that. */
  speaker: MessageMonitor | null;
}

async function dispatchRound(
  trx: Db,
  told: readonly Told[],
  channels: readonly Channel[],
  now: number,
): Promise<void> {
  if (told.length === 0) return;
  const before = await threadsOf(trx, channels, told);
  const flapping = await readFlapping(trx, told, before);
  const byOrganization = Map.groupBy(channels, ({ organizationId }) => organizationId);
  const wanted = told.flatMap((one) => {
    const threadOf = (channel: Channel) => before.get(keyOf(channel.id, one.monitor.id));
    const wanting = (byOrganization.get(one.notice.organizationId) ?? []).flatMap((channel) => {
      const thread = threadOf(channel);
      const message = messageFor(channel, one, thread, flapping);
      return message ? [{ ...one, message, channel, goesOn: thread !== undefined }] : [];
    });
    return withoutSecondMails(wanting, now).filter(({ channel }) => !isSpokenFor(channel, one, before));
  });
  const threads = wanted.length === 0 ? before : await writeDeliveries(trx, wanted, before, now);
  const recovered = told.filter(({ message }) => endsTrouble(message));
  const ended = recovered.flatMap(({ monitor }) =>
    [...threads.values()].filter(({ monitorId }) => monitorId === monitor.id),
  );
  await closeThreads(
    trx,
    ended.map(({ id }) => id),
    now,
  );
}

/** The threads in which it was told that a monitor flaps, where one of these has settled. */
async function readFlapping(trx: Db, told: readonly Told[], threads: Threads): Promise<ReadonlySet<number>> {
  const settled = new Set(
    told.flatMap(({ message, monitor }) => (message.event === "monitor.settled" ? monitor.id : [])),
  );
  const own = [...threads.values()].filter(({ monitorId }) => settled.has(monitorId));
  return own.length === 0 ? new Set() : listFlappingThreads(trx, own);
}

/** What a channel is told of it; null: nothing. */
function messageFor(
  channel: Channel,
  { message, otherwise, monitor: { severity, tags } }: Told,
  thread: OpenThread | undefined,
  flapping: ReadonlySet<number>,
): Message | null {
  const isSettled = message.event === "monitor.settled";
  if (isSettled && thread && flapping.has(thread.id)) return message;
  const plain = isSettled ? otherwise : message;
  if (!plain) return null;
  const { event } = plain;
  return wants(channel, { event: event as ChannelEvent, severity, tags }, thread !== undefined)
    ? plain
    : null;
}

/**
 * Whether a channel is told of it in the thread of another monitor: not where that waits for the channel's hours, and this
 * does not; and what a channel was told by itself ends by itself.
 */
function isSpokenFor({ id, hours }: Channel, { message, monitor, speaker }: Told, threads: Threads): boolean {
  if (!speaker || endsTrouble(message) || !threads.has(keyOf(id, speaker.id))) return false;
  const waits = hours !== null && speaker.severity !== "critical";
  return !(waits && monitor.severity === "critical");
}

type Threads = ReadonlyMap<string, OpenThread>;

/** Returns the threads, with those that it opened. */
async function writeDeliveries(
  trx: Db,
  wanted: readonly (Told & { channel: Channel })[],
  before: Threads,
  now: number,
): Promise<Threads> {
  const opening = wanted.filter(({ channel, monitor }) => !before.has(keyOf(channel.id, monitor.id)));
  const opened = opening.map(({ channel: { id: channelId, organizationId }, monitor }) => ({
    organizationId,
    channelId,
    monitorId: monitor.id,
  }));
  await openThreads(trx, opened, now);
  const channels = wanted.map(({ channel }) => channel);
  const threads = new Map([...before, ...(await threadsOf(trx, channels, wanted))]);
  const deliveries = wanted.map(({ channel, monitor, message }) => {
    const threadId = threads.get(keyOf(channel.id, monitor.id))?.id ?? null;
    return deliveryOf({ ...toChannel(channel), threadId }, message, now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
  return threads;
}

const keyOf = (channelId: number, monitorId: number) => `${channelId} ${monitorId}`;

async function threadsOf(trx: Db, channels: readonly Channel[], told: readonly Told[]): Promise<Threads> {
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    told.flatMap(({ monitor, speaker }) => [monitor.id, speaker?.id ?? monitor.id]),
  );
  return new Map(open.map((thread) => [keyOf(thread.channelId, thread.monitorId), thread]));
}

function messagesOf(
  { at, reason, incidentId, outageMs }: ToldNotice,
  { event, type, fact, otherwise }: ChannelNews,
  monitor: MessageMonitor,
  changed: readonly ChangedMonitor[],
): Pick<Told, "message" | "otherwise"> {
  const state = changed.find((one) => one.monitor.monitorId === monitor.id)?.monitor.state;
  const failing = Object.entries(state?.locations ?? {}).filter(([, { failures }]) => failures > 0);
  const locations = endsTrouble({ event, type }) ? [] : failing.map(([code]) => code);
  const message: Message = { event, type, at, fact, reason, monitor, incidentId, locations, outageMs };
  return {
    message,
    otherwise: otherwise && { ...message, event: "monitor.up", fact: otherwise },
  };
}
