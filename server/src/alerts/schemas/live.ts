import { type Static, Type } from "typebox";
import { EventReason, Kind, MonitorId, MonitorName } from "../../engine/schemas/live.ts";
import { MONITOR_NOTIFICATIONS, type MonitorNotificationEvent } from "../../engine/status/state.ts";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { MonitorKind } from "../../platform/monitor-defaults.ts";
import {
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestamp,
  Uuid,
} from "../../platform/operations/field.ts";
import {
  CERTIFICATE_NOTIFICATIONS,
  OBJECTIVE_NOTIFICATIONS,
  type ObjectiveEvent,
} from "../channels/filter.ts";
import { DEVICE_EVENTS, NOTIFICATION_TYPES, nameOfEvent, ORGANIZATION_EVENTS } from "../event-rules.ts";
import type { NewNotification } from "../queries/notifications.ts";

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

/** What a `notification` event of the live stream carries. */
export const NotificationEvent = Type.Object({
  uuid: Uuid,
  monitorId: nullable(MonitorId),
  incidentId: nullable(Type.Integer(), "The incident it is about."),
  event: oneOf([
    ...MONITOR_NOTIFICATIONS,
    ...DEVICE_EVENTS,
    ...CERTIFICATE_NOTIFICATIONS,
    ...OBJECTIVE_NOTIFICATIONS,
    ...ORGANIZATION_EVENTS,
  ]),
  type: oneOf(NOTIFICATION_TYPES),
  message: Type.String({ description: "In English and UTC.", examples: ["Shop is working again."] }),
  fact: MessageSchema,
  kind: nullable(Kind, "Of the monitor; null: the notification is about none, but about the organization."),
  monitorName: nullable(MonitorName, "Null: it is about none."),
  since: Timestamp,
  reason: EventReason,
  reasonFact: MessageSchema,
  outageMs: nullable(Type.Integer(), "How long the outage that has just ended lasted, milliseconds."),
  isQuiet: Type.Boolean({
    description:
      "Another notification of the same incident speaks for it, so that people need not be disturbed.",
  }),
  togetherFact: MessageSchema,
  createdAt: Timestamp,
});

/**
 * Type `notification`: a notification to people. `message` is English and in UTC; the descriptors after it are for
 * those who say it otherwise. `outageMs`: how long the outage was that has just ended, null for everything else.
 */
export const projectNotification = (notification: LiveNotification): Static<typeof NotificationEvent> => ({
  uuid: notification.uuid,
  monitorId: notification.monitorId,
  incidentId: notification.incidentId,
  event: nameOfEvent(notification.event, notification),
  type: notification.type,
  message: notification.message,
  fact: notification.descriptor,
  kind: notification.kind,
  monitorName: notification.monitorName,
  since: timestamp(notification.at),
  reason: sentenceOf(notification.reason),
  reasonFact: notification.reason,
  outageMs: notification.outageMs,
  isQuiet: notification.isQuiet,
  togetherFact: notification.togetherMessage,
  createdAt: timestamp(notification.createdAt),
});
