import { type Message, type MessageMonitor, newMessage } from "../notification/channel/message.ts";
import type { RecordedNotice } from "../notification/record-notices.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { Db } from "../store/db.ts";
import { type AlertEvent, insertAlertEvents, type PostEvent } from "../store/queries/alert-events.ts";
import { listMessageMonitors } from "../store/queries/monitor-names.ts";
import { listKnownNotices } from "../store/queries/notifications.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { failingFrom, unwatchedMessage } from "./compose.ts";
import { conditionAfter } from "./policy.ts";

/*
 * What may concern somebody is noted in the transaction in which it happens; inbox.ts finds out whom.
 */

const nothing = { monitorId: null, incidentId: null, channelId: null, post: null };

/** Monitors whose status, outage or window has changed, with what machine channels are sent of it, in order. */
export async function noteChanges(
  trx: Db,
  changed: readonly ChangedMonitor[],
  notices: readonly RecordedNotice[],
  now: number,
): Promise<void> {
  const concerned = changed.filter(({ events }) => events.some(({ type }) => type !== "recheck"));
  if (concerned.length === 0) return;
  // What another process has noted before is not noted again.
  const known = await listKnownNotices(
    trx,
    notices.map(({ uuid }) => uuid),
  );
  const byMonitor = Map.groupBy(
    notices.filter(({ uuid }) => known.has(uuid)),
    ({ monitorId }) => monitorId,
  );
  const said = concerned.filter(
    ({ monitor, events }) =>
      byMonitor.has(monitor.monitorId) || events.some(({ type }) => type === "watch_ended"),
  );
  const monitors = await listMessageMonitors(
    trx,
    said.map(({ monitor }) => monitor.monitorId),
  );
  const events = concerned.flatMap(({ monitor, events: happened }): Omit<AlertEvent, "id">[] => {
    const { monitorId, organizationId } = monitor;
    const own = monitors.get(monitorId);
    const posts = (byMonitor.get(monitorId) ?? []).map((notice): PostEvent => {
      const message = noticeMessage(notice, own, monitor.state);
      // A channel that was notified of a device's health receives that it is healthy, and not that it is online.
      const isOfDevice =
        notice.event === "monitor.up" && notice.kind === "device" && notice.incidentId !== null;
      const healthy = isOfDevice ? healthyFact(notice) : null;
      const otherwise = notice.otherwise ?? healthy;
      const plain = otherwise && { ...message, event: "monitor.up" as const, fact: otherwise };
      return { ...machinePost(message, own?.tags ?? [], monitorId), ...(plain && { otherwise: plain }) };
    });
    const ended = happened.find((event) => event.type === "watch_ended");
    if (ended && own) posts.unshift(machinePost(unwatchedMessage(own, ended), own.tags, monitorId));
    const about = { ...nothing, organizationId, monitorId, at: now };
    return posts.length === 0 ? [about] : posts.map((post) => ({ ...about, post }));
  });
  await insertAlertEvents(trx, events);
}

const healthyFact = ({ monitorName: name, at, outageMs }: RecordedNotice): Fact =>
  fact("notice.healthy", { name, since: new Date(at).toISOString(), lasted: outageMs ?? 0 });

const machinePost = (message: Message, tags: readonly string[], monitorId: number): PostEvent => {
  const condition = conditionAfter(message);
  return {
    ...{ subject: `monitor ${monitorId}`, message, tags, audience: { is: "machines" } },
    ...(condition && { condition }),
  };
};

function noticeMessage(
  { event, type, at, channelFact, reason, incidentId, outageMs }: RecordedNotice,
  monitor: MessageMonitor | undefined,
  state: ChangedMonitor["monitor"]["state"],
): Message {
  const isOver = conditionAfter({ event, type }) === "ok";
  const locations = isOver ? [] : failingFrom(state);
  return newMessage({
    event,
    type,
    at,
    fact: channelFact,
    reason,
    monitor: monitor ?? null,
    incidentId,
    locations,
    outageMs,
  });
}

/** Monitors that people changed: how severe it is when they fail, their tags, or what they depend on. */
export const noteMonitors = (
  trx: Db,
  monitors: readonly { organizationId: number; monitorId: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    monitors.map((one) => ({ ...nothing, ...one, at })),
  );

/** Incidents that people changed: who acknowledged them, what belongs to them. */
export const noteIncidents = (
  trx: Db,
  incidents: readonly { organizationId: number; id: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    incidents.map(({ organizationId, id }) => ({ ...nothing, organizationId, incidentId: id, at })),
  );

/** Channels that were added, or of which something else is wanted now. */
export const noteChannels = (
  trx: Db,
  channels: readonly { organizationId: number; id: number }[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    channels.map(({ organizationId, id }) => ({ ...nothing, organizationId, channelId: id, at })),
  );

/** Something to send word for word. */
export const notePosts = (
  trx: Db,
  posts: readonly (PostEvent & { organizationId: number })[],
  at: number,
): Promise<void> =>
  insertAlertEvents(
    trx,
    posts.map(({ organizationId, ...post }) => ({ ...nothing, organizationId, post, at })),
  );
