import type { Activity } from "../src/api/overview.ts";

const minuteMs = 60_000;
export const start = Date.parse("2026-11-21T10:00:00.000Z");

/** The change of a monitor's status so many minutes after ten. */
export function change(
  minute: number,
  previousStatus: string,
  status: string,
  more: Partial<Activity> = {},
): Activity {
  return {
    id: `status-${minute}`,
    type: "status",
    message: "",
    timestamp: new Date(start + minute * minuteMs).toISOString(),
    status,
    previousStatus,
    reason: null,
    reasonFact: null,
    monitorId: 1,
    monitorName: "Shop",
    monitorKind: "domain",
    incidentId: null,
    action: null,
    subject: null,
    user: null,
    ...more,
  };
}
