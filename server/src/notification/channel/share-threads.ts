import type { Db } from "../../store/db.ts";
import { listTold, openThreads } from "../../store/queries/channel-threads.ts";
import { listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import type { Mailing } from "../person/known-address.ts";
import { wants } from "./filter.ts";
import { isProgram } from "./registry.ts";

/**
 * Gives a monitor that was down together with `others` a thread of its own in each channel that was told of one of these
 * outages (ids in affected_services; null: of any) in one of theirs: nobody is told of it again, and its end is told.
 * Programs have one of each monitor anyway.
 */
export async function shareThreads(
  trx: Db,
  about: {
    organizationId: number;
    monitorId: number;
    others: readonly number[];
    outages: readonly number[] | null;
  },
  { now, mailing }: { now: number; mailing: Mailing },
): Promise<void> {
  const { organizationId, monitorId, others, outages } = about;
  const monitor = (await listMessageMonitors(trx, [monitorId])).get(monitorId);
  const threadsOfOthers = await listTold(trx, others);
  const told = new Map(
    threadsOfOthers
      .filter((one) => outages === null || one.outages.some((id) => outages.includes(id)))
      .map((one) => [one.channelId, one] as const),
  );
  if (!monitor || told.size === 0) return;
  const filtered = { event: "monitor.down" as const, severity: monitor.severity, tags: monitor.tags };
  const threads = (await listChannelsToTell(trx, [organizationId], mailing)).flatMap((channel) => {
    const own = told.get(channel.id);
    if (!own || isProgram(channel.type) || !wants(channel, filtered, false)) return [];
    return { organizationId, channelId: channel.id, monitorId, told: own };
  });
  await openThreads(trx, threads, now);
}
