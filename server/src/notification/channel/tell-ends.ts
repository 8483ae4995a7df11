import type { Db } from "../../store/db.ts";
import type { Channel } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listOutageFacts, outageKey } from "../../store/queries/notifications.ts";
import { insertChannelDeliveries } from "../../store/queries/outbox.ts";
import type { ThreadOutage } from "../../store/queries/thread-outages.ts";
import { type Fact, fact } from "../../texts/fact.ts";
import { deliveryOf, toChannel } from "./delivery.ts";
import { wants } from "./filter.ts";
import { eventOf, type Message, type MessageMonitor, newMessage } from "./message.ts";

/** What belongs together and is over. */
interface Over {
  /** Those that its channel was told of by name. */
  named: readonly ThreadOutage[];
}

interface Using {
  byId: ReadonlyMap<number, Channel>;
  now: number;
}

/** Tells each channel the ends that it wants to hear of. Returns what was told. */
export async function tellEnds<T extends Over>(
  trx: Db,
  over: readonly T[],
  { byId, now }: Using,
): Promise<T[]> {
  if (over.length === 0) return [];
  const parts = over.flatMap((step) => partsOf(step.named).map((part) => ({ step, ...part })));
  const firsts = parts.map(({ first }) => first);
  const monitors = await listMessageMonitors(
    trx,
    firsts.map(({ monitorId }) => monitorId),
  );
  // What a device had is told by what was said of it.
  const ofDevices = firsts.filter(({ monitorId }) => monitors.get(monitorId)?.kind === "device");
  const facts = ofDevices.length > 0 ? await listOutageFacts(trx, ofDevices) : new Map<string, Fact>();
  const found = parts.flatMap(({ step, first, named }) => {
    const channel = byId.get(first.channelId);
    const monitor = monitors.get(first.monitorId);
    if (!channel) return [];
    const message = monitor ? endOf(named, monitor, facts.get(outageKey(first))) : null;
    const event = message ? eventOf({ ...message, event: "monitor.up" }) : "monitor.up";
    const isWanted = wants(channel, { event, isEnd: true, severity: "high", tags: [] }, true);
    return isWanted ? [{ step, message, to: { ...toChannel(channel), threadId: first.threadId } }] : [];
  });
  const deliveries = found.flatMap(({ message, to }) => (message ? deliveryOf(to, message, now) : []));
  await insertChannelDeliveries(trx, deliveries, { now });
  return [...new Set(found.map(({ step }) => step))];
}

/** What is told in one message: of several threads, in the first in which something got there. The others are still to have theirs. */
function partsOf(named: readonly ThreadOutage[]): { first: ThreadOutage; named: ThreadOutage[] }[] {
  const heard = named.filter(({ heardAt }) => heardAt !== null).map(({ threadId }) => threadId);
  const main = Math.min(...heard);
  const parts = Map.groupBy(named, ({ threadId, heardAt }) => (heardAt === null ? threadId : main));
  return [...parts].flatMap(([threadId, own]) => {
    const moved = own.map((one) => ({ ...one, threadId }));
    const [first] = moved;
    return first ? [{ first, named: moved }] : [];
  });
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
