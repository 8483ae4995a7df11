import type { OutageIncident } from "../../incident/live-incident.ts";
import type { Db } from "../../store/db.ts";
import { findEndNotice, findOutageNotice } from "../../store/queries/notifications.ts";
import type { ChannelNews } from "../news-rules.ts";
import type { ToldNotice } from "./telling.ts";

/** An outage for which nobody else speaks any more. Times in milliseconds. */
interface LoneOutage {
  organizationId: number;
  monitorId: number;
  startedAt: number;
  /** Null: it goes on. */
  endedAt: number | null;
  /** The incident that it was told of in the app, and the one that it has now; null: none. */
  from: number;
  into: number | null;
}

/**
 * What channels are told of such an outage: that it has begun, who have no thread about its monitor, or that it is over, who have
 * one. Null: nothing, since nobody was told in the app, or something else has happened to the monitor since it was up.
 */
export async function noticeOfOutage(trx: Db, outage: LoneOutage): Promise<ToldNotice | null> {
  const { organizationId, monitorId, startedAt, endedAt, from, into: incidentId } = outage;
  const find = endedAt === null ? findOutageNotice : findEndNotice;
  const told = await find(trx, { organizationId, incidentId: from, monitorId });
  if (!told) return null;
  const { uuid, type, fact } = told;
  const said = { monitorId, type, fact, otherwise: null };
  const notice = { uuid, organizationId, incidentId, reason: fact.because ?? null };
  if (endedAt === null) {
    // Some channels were told of it by itself, and have a thread about it.
    const standing = { as: "member", leadId: monitorId } as const;
    const news: ChannelNews = { ...said, event: "monitor.down", audience: null, standing };
    return { ...notice, at: startedAt, outageMs: null, channels: [news] };
  }
  // Programs heard of it when it happened.
  const standing = { as: "itself" } as const;
  const news: ChannelNews = { ...said, event: "monitor.up", audience: "people", standing };
  return { ...notice, at: endedAt, outageMs: endedAt - startedAt, channels: [news] };
}

/** The same of what speaks for others from now on, since nobody watches what did; not where somebody knows of it. */
export async function noticesOfSuccessors(
  trx: Db,
  incidents: readonly OutageIncident[],
): Promise<ToldNotice[]> {
  const notices: ToldNotice[] = [];
  for (const { id, successor } of incidents) {
    if (!successor || successor.isAcknowledged) continue;
    const outage = { ...successor, endedAt: null, from: id, into: id };
    const notice = await noticeOfOutage(trx, outage);
    if (notice) notices.push(notice);
  }
  return notices;
}
