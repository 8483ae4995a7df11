import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import { listFlaps, listOpenThreads } from "../../store/queries/channel-threads.ts";
import { outageKey } from "../../store/queries/notifications.ts";
import { listOutageIncidents } from "../../store/queries/outage-incidents.ts";
import { listThreadOutages } from "../../store/queries/thread-outages.ts";
import { type BegunOutage, beginOutages } from "./begin-outages.ts";
import { listBeginnings } from "./beginning.ts";
import type { Telling } from "./settle-threads.ts";
import { threadKey } from "./telling.ts";

/**
 * An outage that begins while its monitor flaps is told as flapping. Where that settles and it goes on, or a maintenance window
 * ends in which it settled, it is an outage as any other from then on: who has not heard of the flapping is told that
 * the monitor is down, and all are told when it is over.
 */
export async function beginStanding(
  trx: Db,
  changed: readonly ChangedMonitor[],
  { channels, now }: Telling,
): Promise<void> {
  const standing = changed.flatMap(({ monitor, events }) => {
    const { outage } = monitor.state;
    const isPlain = outage !== null && outage.health === undefined && monitor.state.flapping === null;
    return isPlain && events.some(maySettle)
      ? [
          {
            monitorId: monitor.monitorId,
            startedAt: outage.startedAt,
            organizationId: monitor.organizationId,
          },
        ]
      : [];
  });
  if (standing.length === 0 || channels.length === 0) return;
  const monitorIds = standing.map(({ monitorId }) => monitorId);
  const incidents = await listOutageIncidents(trx, monitorIds);
  const outages = standing.map((one) => ({ ...one, incidentId: incidents.get(outageKey(one)) ?? null }));
  const beginnings = await listBeginnings(trx, outages);
  const flaps = await listFlapped(trx, monitorIds, channels);
  const begun = outages.flatMap((one, at): BegunOutage[] => {
    const said = beginnings[at];
    if (!said) return [];
    const { message } = said;
    const isKnownTo = (channelId: number) => flaps.has(threadKey(channelId, one.monitorId));
    return [{ ...one, monitor: message.monitor, message, graver: null, isKnownTo }];
  });
  await beginOutages(trx, begun, { channels, now });
}

const maySettle = (event: ChangedMonitor["events"][number]): boolean =>
  (event.type === "notice" && event.event === "monitor.settled" && event.outageAt === null) ||
  (event.type === "transition" && event.reason?.code === "watch.maintenance_ended");

/** Which channels were told that one of these monitors flaps, or are about to be: `threadKey`. */
async function listFlapped(
  trx: Db,
  monitorIds: readonly number[],
  channels: Telling["channels"],
): Promise<Set<string>> {
  const ids = channels.map(({ id }) => id);
  const open = await listOpenThreads(trx, ids, monitorIds);
  const outages = await listThreadOutages(trx, { monitorIds });
  const threads = new Map(outages.map(({ threadId, channelId }) => [threadId, channelId]));
  for (const { id, channelId } of open) threads.set(id, channelId);
  const flaps = await listFlaps(trx, monitorIds, [...threads.keys()]);
  const told = [...threads].flatMap(([threadId, channelId]) =>
    monitorIds.flatMap((id) => (flaps.has(`${threadId} ${id}`) ? threadKey(channelId, id) : [])),
  );
  return new Set(told);
}
