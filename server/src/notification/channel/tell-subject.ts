import type { Db } from "../../store/db.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import {
  claimThreadEnds,
  listSubjectThreads,
  openSubjectThreads,
  type Subject,
  type SubjectThread,
} from "../../store/queries/subject-threads.ts";
import type { Mailing } from "../person/known-address.ts";
import { withoutSecondMails } from "../person/second-mails.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { type ChannelEvent, wants } from "./filter.ts";
import { endsTrouble, type Message, severityOf } from "./message.ts";

/** Something to tell of an incident, or of a monitor's certificate. */
export interface SubjectNews {
  organizationId: number;
  /** The number of the incident, or of the monitor. */
  about: number;
  message: Message & { event: ChannelEvent };
  /** Of the monitors that it affects. */
  tags: readonly string[];
  /** Whom it may be for, besides what they want. */
  isFor(channel: Channel): boolean;
}

/**
 * Writes into the outbox, in the transaction of what happened, what the channels of organizations and of their people are to
 * be told of these, in a thread of its own for each.
 */
export async function tellOfSubjects(
  trx: Db,
  subject: Subject,
  all: readonly SubjectNews[],
  { now, mailing }: { now: number; mailing: Mailing },
): Promise<void> {
  const organizationIds = [...new Set(all.map(({ organizationId }) => organizationId))];
  const channels = await listChannelsToTell(trx, organizationIds, mailing);
  const before = await threadsOf(trx, subject, all);
  const wanted = all.flatMap((news) => {
    const own = channels.filter((channel) => channel.organizationId === news.organizationId);
    return withoutSecondMails(wantingOf(own, news, before), now);
  });
  const opened = wanted.map(({ channel, news: { organizationId, about } }) => ({
    ...{ organizationId, channelId: channel.id, about },
  }));
  await openSubjectThreads(trx, subject, opened, now);
  const threads = await threadsOf(trx, subject, all);
  const deliveries = wanted.map(({ channel, news: { about, message } }) => {
    const threadId = threads.get(keyOf(channel.id, about))?.id ?? null;
    return deliveryOf({ ...toChannel(channel), threadId }, message, now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
  const over = new Set(all.filter(({ message }) => endsTrouble(message)).map(({ about }) => about));
  const ended = [...threads.values()].filter(({ about }) => over.has(about));
  await endThreadsOf(trx, ended, { now, say: null });
}

/** What is said of the end of a thread, to whom. */
interface LastWords<T> {
  /** Null: nothing. */
  messageFor(thread: T, channel: Channel): Message | null;
  mailing: Mailing;
}

/**
 * Ends these threads: nothing more is told in them. Writes to their channels what is said of that; null: nothing, to nobody. Of
 * two that end one at once, one says so.
 */
export async function endThreadsOf<T extends SubjectThread>(
  trx: Db,
  threads: readonly T[],
  { now, say }: { now: number; say: LastWords<T> | null },
): Promise<void> {
  if (threads.length === 0) return;
  const organizationIds = [...new Set(threads.map(({ organizationId }) => organizationId))];
  // Before the threads: whoever deletes a channel locks it, and then its threads.
  const all = say ? await listChannelsToTell(trx, organizationIds, say.mailing) : [];
  const ids = threads.map(({ id }) => id);
  const ended = new Set(await claimThreadEnds(trx, ids, now));
  if (!say) return;
  const own = threads.filter(({ id }) => ended.has(id));
  const channels = new Map(all.map((channel) => [channel.id, channel]));
  const deliveries = own.flatMap((thread) => {
    const channel = channels.get(thread.channelId);
    const message = channel && say.messageFor(thread, channel);
    return message ? deliveryOf({ ...toChannel(channel), threadId: thread.id }, message, now) : [];
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

type Threads = ReadonlyMap<string, SubjectThread>;

const keyOf = (channelId: number, about: number) => `${channelId} ${about}`;

async function threadsOf(trx: Db, subject: Subject, all: readonly SubjectNews[]): Promise<Threads> {
  const open = await listSubjectThreads(
    trx,
    subject,
    all.map(({ about }) => about),
  );
  return new Map(open.map((thread) => [keyOf(thread.channelId, thread.about), thread]));
}

function wantingOf(channels: readonly Channel[], news: SubjectNews, threads: Threads) {
  const { message, tags, about } = news;
  const severity = severityOf(message) ?? "high";
  return channels.flatMap((channel) => {
    const goesOn = threads.has(keyOf(channel.id, about));
    const isWanted = news.isFor(channel) && wants(channel, { event: message.event, severity, tags }, goesOn);
    return isWanted ? [{ channel, news, monitor: { severity }, goesOn }] : [];
  });
}
