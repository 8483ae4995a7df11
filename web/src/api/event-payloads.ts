import type { projectNotification } from "../../../server/src/alerts/schemas/live.ts";
import type { projectResults, projectStatusChange } from "../../../server/src/engine/schemas/live.ts";
import type { projectMonitorChange } from "../../../server/src/platform/live-events.ts";

/** Payloads of the stream (GET /api/events). */
export type StatusEvent = ReturnType<typeof projectStatusChange>;
export type ResultsEvent = ReturnType<typeof projectResults>;
export type NotificationEvent = ReturnType<typeof projectNotification>;
export type MonitorsChangedEvent = ReturnType<typeof projectMonitorChange>;
