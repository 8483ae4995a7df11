import { randomUUIDv7 } from "node:crypto";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  listOpenThreads,
  type OpenThread,
  openThreads,
} from "../../store/queries/channel-threads.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listKnownNotices } from "../../store/queries/notifications.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { listSubscribers } from "../../store/queries/push-subscriptions.ts";
import { dispatchPushes, type PushedNotice } from "../push/dispatch-pushes.ts";
import type { RecordedNotice } from "../record-notices.ts";
import { CHANNEL_WORTH_MS } from "../rules.ts";
import { wants } from "./filter.ts";
import type { Message, MessageMonitor } from "./message.ts";

/**
 * Writes into the outbox what the channels of these organizations and the browsers of their people are to be told, in the
 * transaction of what happened. A monitor's notices follow each other: everybody's first is one round of bulk statements,
 * everybody's second the next.
 */
export async function dispatchNotices(
  trx: Db,
  recorded: readonly RecordedNotice[],
  changed: readonly ChangedMonitor[],
  now: number,
): Promise<void> {
  await endThreads(trx, changed, now);
  if (recorded.length === 0) return;
  const organizationIds = [...new Set(recorded.map((one) => one.organizationId))];
  const channels = await listChannelsToTell(trx, organizationIds);
  const browsers = await listSubscribers(trx, organizationIds);
  if (channels.length === 0 && browsers.length === 0) return;
  // What another process has told before is told already.
  const known = await listKnownNotices(
    trx,
    recorded.map(({ uuid }) => uuid),
  );
  const notices = recorded.filter(({ uuid, channels: told }) => known.has(uuid) && told !== null);
  const monitorIds = notices.flatMap((notice) => notice.channels?.monitorId ?? []);
  const monitors = await listMessageMonitors(trx, monitorIds);
  const rounds = [...Map.groupBy(notices, (notice) => notice.channels?.monitorId).values()];
  const pushed: PushedNotice[] = [];
  for (let round = 0; rounds.some((own) => own.length > round); round += 1) {
    const told = rounds
      .flatMap((own) => own[round] ?? [])
      .flatMap((notice): Told[] => {
        const monitor = monitors.get(notice.channels?.monitorId ?? 0);
        return monitor ? [{ notice, message: messageOf(notice, monitor, changed), monitor }] : [];
      });
    if (channels.length > 0) await dispatchRound(trx, told, channels, now);
    pushed.push(...told.map(({ notice: { organizationId }, message }) => ({ organizationId, message })));
  }
  await dispatchPushes(trx, pushed, browsers, now);
}

interface Told {
  notice: RecordedNotice;
  message: Message;
  monitor: MessageMonitor;
}

async function dispatchRound(
  trx: Db,
  told: readonly Told[],
  channels: readonly Channel[],
  now: number,
): Promise<void> {
  const before = await threadsOf(trx, channels, told);
  const wanted = told.flatMap((one) =>
    channels
      .filter(({ organizationId }) => organizationId === one.notice.organizationId)
      .filter((channel) => {
        const { severity, tags } = one.monitor;
        const filtered = { event: one.notice.event, severity, tags };
        return wants(channel, filtered, before.has(keyOf(channel.id, one.monitor.id)));
      })
      .map((channel) => ({ ...one, channel })),
  );
  const threads = wanted.length === 0 ? before : await writeDeliveries(trx, wanted, before, now);
  const recovered = told.filter(({ notice }) => notice.event === "monitor.up");
  const ended = recovered.flatMap(({ monitor }) =>
    [...threads.values()].filter(({ monitorId }) => monitorId === monitor.id),
  );
  await closeThreads(
    trx,
    ended.map(({ id }) => id),
    now,
  );
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
  const deliveries = wanted.map(({ channel, monitor, message, notice }) => ({
    uuid: randomUUIDv7(),
    organizationId: channel.organizationId,
    channelId: channel.id,
    threadId: threads.get(keyOf(channel.id, monitor.id))?.id ?? null,
    recipient: channel.target,
    event: notice.event,
    message: JSON.stringify(message),
    givesUpAt: now + CHANNEL_WORTH_MS,
  }));
  await insertChannelDeliveries(trx, deliveries, { now });
  return threads;
}

const keyOf = (channelId: number, monitorId: number) => `${channelId} ${monitorId}`;

async function threadsOf(trx: Db, channels: readonly Channel[], told: readonly Told[]): Promise<Threads> {
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    told.map(({ monitor }) => monitor.id),
  );
  return new Map(open.map((thread) => [keyOf(thread.channelId, thread.monitorId), thread]));
}

/** Nobody watches these any more: who stopped that knows, and nobody is told. What comes later is another story. */
async function endThreads(trx: Db, changed: readonly ChangedMonitor[], now: number): Promise<void> {
  const unwatched = changed.filter(({ events }) =>
    events.some((event) => event.type === "outage_closed" && event.cause === "ended"),
  );
  if (unwatched.length === 0) return;
  const channels = await listChannelsToTell(trx, [
    ...new Set(unwatched.map(({ monitor }) => monitor.organizationId)),
  ]);
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    unwatched.map(({ monitor }) => monitor.monitorId),
  );
  await closeThreads(
    trx,
    open.map(({ id }) => id),
    now,
  );
}

function messageOf(
  notice: RecordedNotice,
  monitor: MessageMonitor,
  changed: readonly ChangedMonitor[],
): Message {
  const { event, type, at, reason, incidentId, outageMs } = notice;
  const { fact } = notice.channels ?? notice;
  const state = changed.find((one) => one.monitor.monitorId === monitor.id)?.monitor.state;
  const failing = Object.entries(state?.locations ?? {}).filter(([, { failures }]) => failures > 0);
  const locations = event === "monitor.up" ? [] : failing.map(([code]) => code);
  return { event, type, at, fact, reason, monitor, incidentId, locations, outageMs };
}
