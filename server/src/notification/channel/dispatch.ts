import type { OutageIncident } from "../../incident/live-incident.ts";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  handOverThreads,
  listFlappingThreads,
  listOpenThreads,
  openThreads,
} from "../../store/queries/channel-threads.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listKnownNotices } from "../../store/queries/notifications.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import type { Mailing } from "../person/known-address.ts";
import { withoutSecondMails } from "../person/second-mails.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { endThreads } from "./end-threads.ts";
import { endsTrouble } from "./message.ts";
import { noticesOfSuccessors } from "./notice-of-outage.ts";
import { isProgram } from "./registry.ts";
import {
  isFor,
  leadOf,
  messageFor,
  messagesOf,
  type Telling,
  type Threads,
  type ToldNotice,
  threadFor,
  threadKey,
} from "./telling.ts";

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
  const notices = [...recorded, ...(await noticesOfSuccessors(trx, incidents))];
  if (notices.length === 0) return;
  const organizationIds = [...new Set(notices.map((one) => one.organizationId))];
  const channels = await listChannelsToTell(trx, organizationIds, mailing);
  if (channels.length === 0) return;
  await followLeads(trx, channels, incidents);
  // What another process has told before is told already.
  const known = await listKnownNotices(
    trx,
    notices.map(({ uuid }) => uuid),
  );
  const items = notices
    .filter(({ uuid }) => known.has(uuid))
    .flatMap((notice) => notice.channels.map((news) => ({ notice, news })));
  const monitors = await listMessageMonitors(
    trx,
    items.flatMap(({ news }) => [news.monitorId, leadOf(news) ?? news.monitorId]),
  );
  const heard = items.filter(({ news }) => channels.some((channel) => isFor(channel, news)));
  const rounds = [...Map.groupBy(heard, ({ news }) => news.monitorId).values()];
  for (let round = 0; rounds.some((own) => own.length > round); round += 1) {
    const told = rounds
      .flatMap((own) => own[round] ?? [])
      .flatMap(({ notice, news }): Telling[] => {
        const monitor = monitors.get(news.monitorId);
        const lead = monitors.get(leadOf(news) ?? 0) ?? null;
        return monitor
          ? [{ notice, ...messagesOf(notice, news, monitor, changed), news, monitor, lead }]
          : [];
      });
    // The threads of those that lead are there before it is asked for them.
    const [first, after] = [told.filter(({ lead }) => !lead), told.filter(({ lead }) => lead)];
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
    together?.part.is === "lead" ? [[together.part.after.id, monitorId] as const] : [],
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

/** What a channel wants of it, and in the thread of which monitor; null: in none, it knows already. */
interface Wanted extends Telling {
  channel: Channel;
  /** Whether the channel has a thread in which it is told, or known. */
  goesOn: boolean;
  inThreadOf: number | null;
}

async function dispatchRound(
  trx: Db,
  told: readonly Telling[],
  channels: readonly Channel[],
  now: number,
): Promise<void> {
  if (told.length === 0) return;
  const before = await threadsOf(trx, channels, told);
  const flapping = await readFlapping(trx, told, before);
  const byOrganization = Map.groupBy(channels, ({ organizationId }) => organizationId);
  const wanted = told.flatMap((one) => {
    const own = byOrganization.get(one.notice.organizationId) ?? [];
    const wanting = own.flatMap((channel): Wanted[] => {
      if (!isFor(channel, one.news)) return [];
      const thread = before.get(threadKey(channel.id, one.monitor.id));
      const message = messageFor(channel, one, thread, flapping);
      const inThreadOf = threadFor(channel, one, before);
      const goesOn = thread !== undefined || inThreadOf !== one.monitor.id;
      return message ? [{ ...one, message, channel, goesOn, inThreadOf }] : [];
    });
    return withoutSecondMails(wanting, now).flatMap(({ inThreadOf, ...rest }) =>
      inThreadOf === null ? [] : [{ ...rest, inThreadOf }],
    );
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

/** The threads in which it was told that a monitor flaps, where one of these has settled. */
async function readFlapping(
  trx: Db,
  told: readonly Telling[],
  threads: Threads,
): Promise<ReadonlySet<number>> {
  const settled = new Set(
    told.flatMap(({ message, monitor }) => (message.event === "monitor.settled" ? monitor.id : [])),
  );
  const own = [...threads.values()].filter(({ monitorId }) => settled.has(monitorId));
  return own.length === 0 ? new Set() : listFlappingThreads(trx, own);
}

/** Returns the threads, with those that it opened. */
async function writeDeliveries(
  trx: Db,
  wanted: readonly (Omit<Wanted, "inThreadOf"> & { inThreadOf: number })[],
  before: Threads,
  now: number,
): Promise<Threads> {
  const opening = wanted.filter(({ channel, inThreadOf }) => !before.has(threadKey(channel.id, inThreadOf)));
  const opened = opening.map(({ channel: { id: channelId, organizationId }, inThreadOf: monitorId }) => ({
    ...{ organizationId, channelId, monitorId },
  }));
  await openThreads(trx, opened, now);
  const channels = wanted.map(({ channel }) => channel);
  const threads = new Map([...before, ...(await threadsOf(trx, channels, wanted))]);
  const deliveries = wanted.map(({ channel, inThreadOf, message }) => {
    const threadId = threads.get(threadKey(channel.id, inThreadOf))?.id ?? null;
    return deliveryOf({ ...toChannel(channel), threadId }, message, now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
  return threads;
}

async function threadsOf(
  trx: Db,
  channels: readonly Channel[],
  told: readonly Pick<Telling, "monitor" | "lead">[],
): Promise<Threads> {
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    told.flatMap(({ monitor, lead }) => [monitor.id, lead?.id ?? monitor.id]),
  );
  return new Map(open.map((thread) => [threadKey(thread.channelId, thread.monitorId), thread]));
}
