import type { MonitorNotificationEvent } from "../engine/status/state.ts";
import type { MessageDescriptor } from "../platform/i18n/message.ts";
import type { MonitorKind } from "../platform/monitor-defaults.ts";
import type { CERTIFICATE_NOTIFICATIONS, ObjectiveEvent } from "./channels/filter.ts";
import type { ORGANIZATION_EVENTS } from "./delivery-rules.ts";
import type { NewNotification } from "./queries/notifications.ts";

/** A notification as open apps receive it. Times in milliseconds. */
export interface LiveNotification extends NewNotification {
  event:
    | MonitorNotificationEvent
    | (typeof CERTIFICATE_NOTIFICATIONS)[number]
    | ObjectiveEvent
    | (typeof ORGANIZATION_EVENTS)[number];
  /** Of the monitor that it is about; null, as is its name: it is about the organization. */
  kind: MonitorKind | null;
  monitorName: string | null;
  /** Since when it is so. */
  at: number;
  reason: MessageDescriptor | null;
  /** How long the outage was that has just ended. */
  outageMs: number | null;
  /** Another one, of a monitor with which this one shares the incident, speaks for it. */
  isQuiet: boolean;
}
