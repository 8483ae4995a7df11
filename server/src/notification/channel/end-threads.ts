import type { OutageIncident } from "../../incident/live-incident.ts";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { WatchEnded } from "../../status/state.ts";
import type { Db } from "../../store/db.ts";
import {
  closeThreads,
  handOverThreads,
  listOpenThreads,
  listTold,
  type OpenThread,
} from "../../store/queries/channel-threads.ts";
import { type Channel, listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { type Message, type MessageMonitor, newMessage } from "./message.ts";
import { isProgram } from "./registry.ts";

/**
 * Nobody watches these any more: who stopped that knows, and no people are told. What comes later is told anew, except where
 * one spoke for others that are still down: its thread goes on with the first of these where that was told in it. Programs
 * are told, since an alert that a pager has open would stay so.
 */
export async function endThreads(
  trx: Db,
  changed: readonly ChangedMonitor[],
  incidents: readonly OutageIncident[],
  now: number,
): Promise<void> {
  const unwatched = new Map(
    changed.flatMap(({ monitor, events }) => {
      const ended = events.find((event) => event.type === "watch_ended");
      return ended
        ? [[monitor.monitorId, { ...ended, organizationId: monitor.organizationId }] as const]
        : [];
    }),
  );
  if (unwatched.size === 0) return;
  const organizationIds = new Set([...unwatched.values()].map(({ organizationId }) => organizationId));
  const channels = await listChannelsToTell(trx, [...organizationIds], { mails: true, asksPeople: false });
  const open = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    [...unwatched.keys()],
  );
  // To a program each monitor is a trouble of its own.
  const programs = new Set(channels.filter(({ type }) => isProgram(type)).map(({ id }) => id));
  const [own, shared] = [true, false].map((is) => open.filter((one) => programs.has(one.channelId) === is));
  const left = [...(own ?? []), ...(await goOn(trx, shared ?? [], incidents))];
  await tellPrograms(trx, { threads: left, channels, unwatched }, now);
  await closeThreads(
    trx,
    left.map(({ id }) => id),
    now,
  );
}

/** Returns the threads in which nothing was told of what speaks from now on: they end, and that begins with one of its own. */
async function goOn(
  trx: Db,
  threads: readonly OpenThread[],
  incidents: readonly OutageIncident[],
): Promise<OpenThread[]> {
  const successors = new Map(
    incidents.flatMap(({ monitorId, successor }) => (successor ? [[monitorId, successor] as const] : [])),
  );
  const told = await listTold(trx, [...successors.keys()]);
  const outages = new Map(told.map((one) => [one.threadId, one.outages]));
  const isKnown = ({ id, monitorId }: OpenThread) => {
    const next = successors.get(monitorId);
    return next !== undefined && (next.isAcknowledged || outages.get(id)?.includes(next.outageId) === true);
  };
  const ids = new Map([...successors].map(([before, { monitorId }]) => [before, monitorId]));
  const ended = threads.filter((thread) => !isKnown(thread));
  return [...ended, ...(await handOverThreads(trx, threads.filter(isKnown), ids))];
}

interface Ended {
  threads: readonly OpenThread[];
  channels: readonly Channel[];
  unwatched: ReadonlyMap<number, WatchEnded>;
}

async function tellPrograms(trx: Db, { threads, channels, unwatched }: Ended, now: number): Promise<void> {
  const programs = new Map(channels.filter(({ type }) => isProgram(type)).map((one) => [one.id, one]));
  const theirs = threads.filter(({ channelId }) => programs.has(channelId));
  if (theirs.length === 0) return;
  const monitors = await listMessageMonitors(
    trx,
    theirs.map(({ monitorId }) => monitorId),
  );
  const deliveries = theirs.flatMap(({ id: threadId, channelId, monitorId }) => {
    const [channel, monitor, ended] = [
      programs.get(channelId),
      monitors.get(monitorId),
      unwatched.get(monitorId),
    ];
    if (!channel || !monitor || !ended) return [];
    return deliveryOf({ ...toChannel(channel), threadId }, messageOf(monitor, ended), now);
  });
  await insertChannelDeliveries(trx, deliveries, { now });
}

function messageOf(monitor: MessageMonitor, { at, reason }: WatchEnded): Message {
  const said = fact("notice.unwatched", { name: monitor.name, since: new Date(at).toISOString() });
  const because = { fact: { ...said, because: reason }, reason };
  return newMessage({ event: "monitor.stopped", type: "info", at, monitor, ...because });
}
