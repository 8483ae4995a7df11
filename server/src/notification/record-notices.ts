import { randomUUIDv7 } from "node:crypto";
import type { OutageIncident, Together } from "../incident/live-incident.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { Notice } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { insertNotifications, type NewNotification } from "../store/queries/notifications.ts";
import type { WatchedMonitor } from "../store/queries/states.ts";
import { inEnglish } from "../texts/english.ts";
import { type Fact, fact } from "../texts/fact.ts";
import { noticeFact, noticeType } from "./rules.ts";

/** What people are told, in words and in the facts behind them: who has the facts can say it in another language. */
export interface RecordedNotice
  extends Omit<NewNotification, "event">,
    Pick<Notice, "event" | "at" | "reason"> {
  kind: MonitorKind;
  monitorName: string;
  /** Of the outage that has just ended, for `monitor.up`. */
  outageMs: number | null;
  /** What channels say of it, and in the thread of which monitor; null: nothing, others in its incident speak for it. */
  channels: { monitorId: number; fact: Fact } | null;
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
          : byOutage.get(keyOf(monitor.monitorId, event.outageAt, event.event === "monitor.up"));
      return [noticeOf(monitor, event, incident, now)];
    }),
  );
  await insertNotifications(trx, notifications);
  return notifications;
}

const keyOf = (monitorId: number, outageAt: number, isOver: boolean) => `${monitorId} ${outageAt} ${isOver}`;

/** Monitors that share an incident are told of once, when the first goes down, and once when all are up. */
function tellTogether(
  { leadId, leadName, others, isQuiet }: Together,
  at: number,
): RecordedNotice["channels"] {
  if (isQuiet) return null;
  const since = new Date(at).toISOString();
  return { monitorId: leadId, fact: fact("notice.recovered_together", { name: leadName, others, since }) };
}

function noticeOf(
  monitor: WatchedMonitor,
  notice: Notice,
  incident: OutageIncident | undefined,
  now: number,
): RecordedNotice {
  const { event, at, reason } = notice;
  const { monitorId, organizationId, kind, name: monitorName } = monitor;
  const outageMs = incident?.outageMs ?? null;
  const said = noticeFact(monitorName, notice, outageMs);
  const channels = incident?.together ? tellTogether(incident.together, at) : { monitorId, fact: said };
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
    channels,
    type: noticeType(event),
    fact: said,
    message: inEnglish(said),
    idempotencyKey: `${event}:${incident ? `${incident.uuid}:` : ""}${monitor.uuid}:${incident?.outageAt ?? `${at}:${now}`}`,
    createdAt: now,
  };
}
