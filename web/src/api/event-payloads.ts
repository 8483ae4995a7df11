import type {
  projectMonitorChange,
  projectNotification,
  projectResults,
  projectStatusChange,
} from "../../../server/src/platform/http/live/event-types.ts";

/** Payloads of the stream (GET /api/events). */
export type StatusEvent = ReturnType<typeof projectStatusChange>;
export type ResultsEvent = ReturnType<typeof projectResults>;
export type NotificationEvent = ReturnType<typeof projectNotification>;
export type MonitorsChangedEvent = ReturnType<typeof projectMonitorChange>;
