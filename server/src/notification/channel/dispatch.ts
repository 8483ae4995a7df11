import { partition } from "../../partition.ts";
import type { ChangedMonitor } from "../../status/changed-monitor.ts";
import type { Db } from "../../store/db.ts";
import { listChannelsToTell } from "../../store/queries/channels.ts";
import { listMessageMonitors } from "../../store/queries/message-monitors.ts";
import { listKnownNotices } from "../../store/queries/notifications.ts";
import { endThreadOutages } from "../../store/queries/thread-outage-changes.ts";
import { lockThreads } from "../../store/queries/threads-together.ts";
import type { Mailing } from "../person/known-address.ts";
import { beginOutages } from "./begin-outages.ts";
import { beginStanding } from "./begin-standing.ts";
import { endUnwatched, unwatchedOf } from "./end-threads.ts";
import type { MessageMonitor } from "./message.ts";
import { settleThreads, type Telling } from "./settle-threads.ts";
import { type MonitorNews, tellOfMonitors } from "./tell-of-monitors.ts";
import { messageOf, type ToldNotice } from "./telling.ts";

/**
 * Writes into the outbox what the channels of these organizations and of their people are to be told, in the transaction of
 * what happened. A monitor's notices follow each other: everybody's first is one round of bulk statements, everybody's second
 * the next. ADR 0035 says which outage is told in which thread.
 */
export async function dispatchNotices(
  trx: Db,
  recorded: readonly ToldNotice[],
  changed: readonly ChangedMonitor[],
  { now, mailing }: { now: number; mailing: Mailing },
): Promise<void> {
  const unwatched = unwatchedOf(changed);
  const released = changed.filter(hasLeftWindow);
  if (recorded.length === 0 && unwatched.size === 0 && released.length === 0) return;
  const organizationIds = new Set(changed.map(({ monitor }) => monitor.organizationId));
  const channels = await listChannelsToTell(trx, [...organizationIds], mailing);
  const telling = { channels, now };
  await endUnwatched(trx, unwatched, telling);
  // What another process has told before is told already.
  const known = await listKnownNotices(
    trx,
    recorded.map(({ uuid }) => uuid),
  );
  const notices = recorded.filter(({ uuid }) => known.has(uuid));
  const monitors = await listMessageMonitors(
    trx,
    notices.map(({ monitorId }) => monitorId),
  );
  const states = new Map(changed.map(({ monitor }) => [monitor.monitorId, monitor.state]));
  const rounds = [...Map.groupBy(notices, ({ monitorId }) => monitorId).values()];
  for (let round = 0; rounds.some((own) => own.length > round); round += 1) {
    const news = rounds.flatMap((own) => newsOf(own[round], monitors, states));
    await dispatchRound(trx, news, telling);
  }
  const left = released.map(({ monitor }) => monitor.monitorId);
  if (left.length > 0) {
    await lockThreads(trx, left);
    await settleThreads(trx, { monitorIds: left }, telling);
  }
  await beginStanding(trx, changed, telling);
}

const hasLeftWindow = ({ events }: ChangedMonitor): boolean =>
  events.some((event) => event.type === "transition" && event.reason?.code === "watch.maintenance_ended");

function newsOf(
  notice: ToldNotice | undefined,
  monitors: ReadonlyMap<number, MessageMonitor>,
  states: ReadonlyMap<number, ChangedMonitor["monitor"]["state"]>,
): MonitorNews[] {
  const monitor = notice && monitors.get(notice.monitorId);
  if (!monitor) return [];
  const message = messageOf(notice, monitor, states.get(monitor.id));
  return [{ ...notice, monitor, message }];
}

async function dispatchRound(trx: Db, news: readonly MonitorNews[], telling: Telling): Promise<void> {
  if (news.length === 0) return;
  const [begun, others] = partition(news, isBeginning);
  const ended = others.filter(({ outageStartedAt }) => outageStartedAt !== null);
  const endedIds = ended.map(({ monitorId }) => monitorId);
  const locked = await lockThreads(
    trx,
    news.map(({ monitorId }) => monitorId),
  );
  await endThreadOutages(trx, ended);
  const threadIds = await tellOfMonitors(trx, others, telling);
  // What is told as over may have been all that was known of what others tell of.
  const beside = threadIds.length > 0 ? locked : [];
  await settleThreads(trx, { threadIds: [...threadIds, ...beside], monitorIds: endedIds }, telling);
  // What opens an incident speaks for what joined it.
  const inOrder = begun.toSorted((a, b) => Number(a.isJoining) - Number(b.isJoining));
  const opening = inOrder.map(({ graverFact, outageStartedAt, ...one }) => ({
    ...one,
    startedAt: outageStartedAt ?? one.at,
    graver: graverFact && { ...one.message, fact: graverFact },
  }));
  await beginOutages(trx, opening, telling);
}

/** A device that is offline while its health is critical begins no outage: it has one. */
const isBeginning = ({ event, outageStartedAt }: MonitorNews): boolean =>
  event === "monitor.down" && outageStartedAt !== null;
