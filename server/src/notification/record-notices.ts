import { randomUUIDv7 } from "node:crypto";
import type { OutageIncident } from "../incident/live-incident.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ChangedMonitor } from "../status/apply-results.ts";
import type { Notice } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { insertNotifications, type NewNotification } from "../store/queries/notifications.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import { inEnglish } from "../texts/english.ts";
import type { MessageDescriptor } from "../texts/message.ts";
import { newsOf } from "./news-rules.ts";
import { noticeMessage, noticeType } from "./rules.ts";

/** What people are told, in words and in the facts behind them: who has the facts can say it in another language. */
export interface RecordedNotice
  extends Omit<NewNotification, "event" | "monitorId">,
    Pick<Notice, "event" | "at" | "reason"> {
  monitorId: number;
  kind: MonitorKind;
  monitorName: string;
  /** Of the outage that has just ended, for `monitor.up`. */
  outageMs: number | null;
  /** What channels are told, which choose by it. The app says `fact`: it knows what was said before, whoever heard it. */
  channelFact: MessageDescriptor;
  /** Of one that has settled, to who was not notified that it flaps: that its outage is over. */
  otherwise: MessageDescriptor | null;
  /** Another one speaks for it. */
  isQuiet: boolean;
}

/**
 * Writes what people are to be told, once a cause: the key names the incident, or else the monitor
 * and the moment. Channels deliver from these rows. `incidents`: those of the same changes.
 */
export async function recordNotices(
  trx: Db,
  changed: readonly ChangedMonitor[],
  incidents: readonly OutageIncident[],
  now: number,
): Promise<RecordedNotice[]> {
  const byOutage = new Map(
    incidents.map((one) => [keyOf(one.monitorId, one.outageAt, one.outageMs !== null), one]),
  );
  const notifications = changed.flatMap(({ monitor, events }) =>
    events.flatMap((event): RecordedNotice[] => {
      if (event.type !== "notice") return [];
      const incident =
        event.outageAt === null
          ? undefined
          : byOutage.get(keyOf(monitor.monitorId, event.outageAt, isEnd(event)));
      const notice = noticeOf(monitor, event, incident, now);
      return [
        notice.incidentId === null ? { ...notice, incidentId: goingOn(monitor, event, incidents) } : notice,
      ];
    }),
  );
  await insertNotifications(trx, notifications);
  return notifications;
}

/** The incident of a device that has gone offline in it: one that it began with its health. */
const goingOn = (
  { monitorId }: WatchedMonitor,
  { event, outageAt }: Notice,
  incidents: readonly OutageIncident[],
): number | null =>
  event === "monitor.down" && outageAt === null
    ? (incidents.find((one) => one.monitorId === monitorId && one.outageMs === null)?.id ?? null)
    : null;

const keyOf = (monitorId: number, outageAt: number, isOver: boolean) => `${monitorId} ${outageAt} ${isOver}`;

/** Of an outage. */
const isEnd = ({ event, outageAt }: Notice): boolean =>
  event === "monitor.up" || (event === "monitor.settled" && outageAt !== null);

function noticeOf(
  monitor: WatchedMonitor,
  notice: Notice,
  incident: OutageIncident | undefined,
  now: number,
): RecordedNotice {
  const { event, at, reason } = notice;
  const { monitorId, organizationId, kind, name: monitorName } = monitor;
  const { outageMs = null, together = null } = incident ?? {};
  const channelFact = noticeMessage(monitor, notice, outageMs);
  const said = notice.recoveryNotified
    ? noticeMessage(monitor, { ...notice, health: true }, outageMs)
    : channelFact;
  const type = noticeType(notice);
  const hasRecovered = event === "monitor.settled" && isEnd(notice);
  const otherwise = hasRecovered
    ? noticeMessage(monitor, { ...notice, event: "monitor.up" }, outageMs)
    : null;
  const { shown } = newsOf({ monitorId, event, fact: said }, together, at);
  return {
    uuid: randomUUIDv7(),
    organizationId,
    monitorId,
    kind,
    monitorName,
    incidentId: incident?.id ?? null,
    event,
    at,
    reason,
    outageMs,
    ...{ channelFact, otherwise },
    isQuiet: shown === null,
    togetherFact: shown === said ? null : shown,
    type,
    fact: said,
    message: inEnglish(said),
    outageStartedAt: notice.outageAt,
    idempotencyKey: `${event}:${incident ? `${incident.uuid}:` : ""}${monitor.uuid}:${incident?.outageAt ?? `${at}:${now}`}`,
    createdAt: now,
  };
}
