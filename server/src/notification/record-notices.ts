import { randomUUIDv7 } from "node:crypto";
import type { LiveIncident } from "../incident/live-incident.ts";
import type { MonitorKind } from "../monitor/monitor-defaults.ts";
import type { ChangedMonitor } from "../status/changed-monitor.ts";
import type { StatusEvent } from "../status/state.ts";
import type { Db } from "../store/db.ts";
import { insertNotifications, type NewNotification } from "../store/queries/notifications.ts";
import { type Notice, noticeMessage, noticeType } from "./rules.ts";

/** What people are told, in words and in the facts behind them: who has the facts can say it in another language. */
export type RecordedNotice = NewNotification & Notice & { kind: MonitorKind };

/**
 * Writes what people are to be told, once a cause: the key names the incident, or else the monitor
 * and the moment. Channels deliver from these rows. `incidents`: those of the same changes.
 */
export async function recordNotices(
  trx: Db,
  changed: readonly ChangedMonitor[],
  incidents: readonly LiveIncident[],
  now: number,
): Promise<RecordedNotice[]> {
  const notifications: RecordedNotice[] = [];
  for (const { monitor, events } of changed) {
    const own = incidents.filter(({ monitorId }) => monitorId === monitor.monitorId);
    for (const [index, event] of events.entries()) {
      if (event.type !== "notice") continue;
      const incident = incidentOf(event, events[index - 1], own);
      const outageMs = incident?.resolvedAt ? incident.resolvedAt - incident.startedAt : null;
      const notice = { event: event.event, at: event.at, reason: event.reason, monitorName: monitor.name };
      notifications.push({
        ...notice,
        outageMs,
        kind: monitor.kind,
        uuid: randomUUIDv7(),
        organizationId: monitor.organizationId,
        monitorId: monitor.monitorId,
        incidentId: incident?.id ?? null,
        type: noticeType(event.event),
        message: noticeMessage({ ...notice, outageMs }),
        idempotencyKey: `${event.event}:${incident?.uuid ?? `${monitor.uuid}:${event.at}:${now}`}`,
        createdAt: now,
      });
    }
  }
  await insertNotifications(trx, notifications);
  return notifications;
}

/** The rules tell of an outage right after opening or closing it. */
function incidentOf(
  notice: Extract<StatusEvent, { type: "notice" }>,
  before: StatusEvent | undefined,
  incidents: readonly LiveIncident[],
): LiveIncident | undefined {
  if (before?.type === "outage_opened" && notice.event === "monitor.down") {
    return incidents.find(
      ({ resolvedAt, startedAt }) => resolvedAt === null && startedAt === before.startedAt,
    );
  }
  if (before?.type === "outage_closed" && notice.event === "monitor.up") {
    return incidents.find(({ resolvedAt }) => resolvedAt === Math.max(before.at, before.startedAt));
  }
  return undefined;
}
