import type { OutageIncident } from "../../incident/live-incident.ts";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  handOverThreads,
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
import { isProgram } from "./registry.ts";

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
  await followLeads(trx, channels, incidents);
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
  const isHeard = ({ news }: { news: ChannelNews }) => channels.some((channel) => isFor(channel, news));
  const rounds = [...Map.groupBy(items.filter(isHeard), ({ news }) => news.monitorId).values()];
  for (let round = 0; rounds.some((own) => own.length > round); round += 1) {
    const told = rounds
      .flatMap((own) => own[round] ?? [])
      .flatMap(({ notice, news }): Told[] => {
        const monitor = monitors.get(news.monitorId);
        const speaker = monitors.get(news.spokenForBy ?? 0) ?? null;
        return monitor
          ? [{ notice, ...messagesOf(notice, news, monitor, changed), news, monitor, speaker }]
          : [];
      });
    const [first, after] = [told.filter(({ speaker }) => !speaker), told.filter(({ speaker }) => speaker)];
    for (const some of [first, after]) await dispatchRound(trx, some, channels, now);
  }
}

/** To people, what leads an incident from now on is told in the threads of what led it before. */
async function followLeads(
  trx: Db,
  channels: readonly Channel[],
  incidents: readonly OutageIncident[],
): Promise<void> {
  const leads = incidents.flatMap(({ monitorId, together }) =>
    together && together.leadsAfter !== null ? [[together.leadsAfter, monitorId] as const] : [],
  );
  if (leads.length === 0) return;
  const people = channels.filter(({ type }) => !isProgram(type)).map(({ id }) => id);
  const open = await listOpenThreads(
    trx,
    people,
    leads.map(([before]) => before),
  );
  await handOverThreads(trx, open, new Map(leads));
}

interface Told {
  notice: ToldNotice;
  news: ChannelNews;
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
    const own = byOrganization.get(one.notice.organizationId) ?? [];
    const wanting = own.flatMap((channel) => {
      if (!isFor(channel, one.news)) return [];
      const thread = threadOf(channel);
      const message = messageFor(channel, one, thread, flapping);
      const goesOn = thread !== undefined || isSpokenFor(channel, one, before);
      return message ? [{ ...one, message, channel, goesOn }] : [];
    });
    return withoutSecondMails(wanting, now).flatMap((wanted) => {
      if (!isSpokenFor(wanted.channel, one, before)) return [{ ...wanted, inThreadOf: one.monitor.id }];
      return one.speaker && one.news.isNews ? [{ ...wanted, inThreadOf: one.speaker.id }] : [];
    });
  });
  const threads = wanted.length === 0 ? before : await writeDeliveries(trx, wanted, before, now);
  const recovered = told.filter(({ message }) => endsTrouble(message));
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  const ended = recovered.flatMap(({ monitor, news }) =>
    [...threads.values()].filter(({ channelId, monitorId }) => {
      const channel = byId.get(channelId);
      return monitorId === monitor.id && channel && isFor(channel, news);
    }),
  );
  await closeThreads(
    trx,
    ended.map(({ id }) => id),
    now,
  );
}

const isFor = ({ type }: Channel, { audience }: ChannelNews): boolean =>
  audience === null || (audience === "programs") === isProgram(type);

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
  wanted: readonly (Told & { channel: Channel; inThreadOf: number })[],
  before: Threads,
  now: number,
): Promise<Threads> {
  const opening = wanted.filter(({ channel, inThreadOf }) => !before.has(keyOf(channel.id, inThreadOf)));
  const opened = opening.map(({ channel: { id: channelId, organizationId }, inThreadOf: monitorId }) => ({
    ...{ organizationId, channelId, monitorId },
  }));
  await openThreads(trx, opened, now);
  const channels = wanted.map(({ channel }) => channel);
  const threads = new Map([...before, ...(await threadsOf(trx, channels, wanted))]);
  const deliveries = wanted.map(({ channel, inThreadOf, message }) => {
    const threadId = threads.get(keyOf(channel.id, inThreadOf))?.id ?? null;
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
