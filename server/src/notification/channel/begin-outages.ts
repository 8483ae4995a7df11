import type { Db } from "../../store/db.ts";
import { listOpenThreads } from "../../store/queries/channel-threads.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import { insertThreadOutages } from "../../store/queries/thread-outage-changes.ts";
import {
  type IncidentThread,
  listIncidentThreads,
  listTellings,
  tellingKey,
} from "../../store/queries/thread-outages.ts";
import { withoutSecondMails } from "../person/second-mails.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { wants } from "./filter.ts";
import { eventOf, type Message, type MessageMonitor } from "./message.ts";
import { isProgram } from "./registry.ts";
import type { Telling } from "./settle-threads.ts";
import { byThreadKey, openThreadsOf, threadKey } from "./telling.ts";

/** An outage that channels are to be told of. */
export interface BegunOutage {
  organizationId: number;
  incidentId: number | null;
  /** Milliseconds. */
  startedAt: number;
  monitor: MessageMonitor;
  message: Message;
  /** To people, of one that they must hear of, whatever they know of its incident; null: of none. */
  graver: Message | null;
  /** Which channels know of it by something else that they were told. */
  isKnownTo?: (channelId: number) => boolean;
}

/** Where a channel is told of an outage. `key`: of the thread, which may be still to be opened. */
interface Place {
  channel: Channel;
  begun: BegunOutage;
  key: string;
  message: Message | null;
  isTold: boolean;
}

/**
 * Tells channels of outages that have begun, those first that open an incident. People hear of those that share one together, in one thread, in which
 * there is a message for the first, and for a graver one; each channel by what it wants of that very outage.
 */
export async function beginOutages(
  trx: Db,
  begun: readonly BegunOutage[],
  { channels, now }: Telling,
): Promise<void> {
  if (begun.length === 0 || channels.length === 0) return;
  const incidentIds = begun.flatMap(({ incidentId }) => incidentId ?? []);
  const known = await listTellings(
    trx,
    begun.map(({ monitor: { id: monitorId }, startedAt }) => ({ monitorId, startedAt })),
  );
  const own = await listOpenThreads(
    trx,
    channels.map(({ id }) => id),
    begun.map(({ monitor }) => monitor.id),
  );
  const threads = byThreadKey(own);
  const placing = placesIn(await listIncidentThreads(trx, incidentIds), threads);
  const byOrganization = Map.groupBy(channels, ({ organizationId }) => organizationId);
  const places = begun.flatMap((one) => {
    const { monitor, message, startedAt, organizationId } = one;
    const event = eventOf({ ...message, event: "monitor.down" });
    const wanting = (byOrganization.get(organizationId) ?? []).flatMap((channel) => {
      const { id: monitorId, severity, tags } = monitor;
      const isKnown = known.has(tellingKey({ channelId: channel.id, monitorId, startedAt }));
      const isWanted = wants(channel, { event, severity, tags }, false);
      return isWanted && !isKnown ? [{ channel, monitor, goesOn: placing.find(channel, one) !== null }] : [];
    });
    return withoutSecondMails(wanting, now).map(({ channel }) => placing.put(channel, one));
  });
  await write(trx, places, threads, now);
}

/** Finds, and keeps, the place of outages. */
function placesIn(known: readonly IncidentThread[], threads: Map<string, number>) {
  const slotOf = (channelId: number, incidentId: number) => `${channelId} ${incidentId}`;
  const slots = Map.groupBy(
    known.map((one) => {
      const key = `thread ${one.threadId}`;
      threads.set(key, one.threadId);
      return { slot: slotOf(one.channelId, one.incidentId), key, isCritical: one.isCritical };
    }),
    ({ slot }) => slot,
  );
  /** What is critical does not wait with what is not for the channel's hours. */
  const shared = ({ id, type, hours }: Channel, { incidentId, monitor }: BegunOutage) =>
    incidentId === null || isProgram(type)
      ? undefined
      : slots
          .get(slotOf(id, incidentId))
          ?.find(({ isCritical }) => isCritical || hours === null || monitor.severity !== "critical");
  return {
    find(channel: Channel, one: BegunOutage): string | null {
      const own = threadKey(channel.id, one.monitor.id);
      return shared(channel, one)?.key ?? (threads.has(own) ? own : null);
    },
    put(channel: Channel, begun: BegunOutage): Place {
      const { incidentId, monitor, graver } = begun;
      const isKnown = begun.isKnownTo?.(channel.id) === true;
      const told = isProgram(channel.type) ? null : graver;
      const thread = shared(channel, begun);
      if (thread) return { channel, begun, key: thread.key, message: told, isTold: isKnown || told !== null };
      const key = threadKey(channel.id, monitor.id);
      if (incidentId !== null) {
        const slot = slotOf(channel.id, incidentId);
        const isCritical = monitor.severity === "critical";
        slots.set(slot, [...(slots.get(slot) ?? []), { slot, key, isCritical }]);
      }
      const message = isKnown ? null : (told ?? begun.message);
      return { channel, begun, key, message, isTold: true };
    },
  };
}

async function write(
  trx: Db,
  places: readonly Place[],
  before: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const opening = places.filter(
    ({ key, channel, begun }) => key === threadKey(channel.id, begun.monitor.id) && !before.has(key),
  );
  const opened = opening.map(({ channel: { id: channelId, organizationId }, begun: { monitor } }) => ({
    ...{ organizationId, channelId, monitorId: monitor.id },
  }));
  const threads = new Map([...before, ...(await openThreadsOf(trx, opened, now))]);
  const told = places.flatMap(({ key, ...place }) => {
    const threadId = threads.get(key);
    return threadId === undefined ? [] : [{ ...place, threadId }];
  });
  await insertThreadOutages(
    trx,
    told.map(({ threadId, isTold, begun: { organizationId, monitor, startedAt } }) => ({
      ...{ organizationId, threadId, monitorId: monitor.id, startedAt },
      toldAt: isTold ? now : null,
    })),
  );
  const deliveries = told.flatMap(({ channel, threadId, message }) =>
    message === null ? [] : deliveryOf({ ...toChannel(channel), threadId }, message, now),
  );
  await insertChannelDeliveries(trx, deliveries, { now });
}
