import type { Activity, StatusActivity } from "../store/queries/activity.ts";
import { describeChange } from "./describe-change.ts";

/** One thing that happened, as a sentence. */
export function describeActivity(activity: Activity): string {
  if (activity.kind === "incident") return activity.text;
  return activity.kind === "status" ? describeStatus(activity) : describeChange(activity);
}

function describeStatus({ monitorName, fromStatus, toStatus, reason, isSameOutage }: StatusActivity): string {
  if (toStatus === "unknown") {
    if (reason?.code === "watch.changed") return `${monitorName} is checked in another way from now on.`;
    return reason?.code === "watch.paused"
      ? `${monitorName} was paused.`
      : `${monitorName} is not being monitored.`;
  }
  if (toStatus === "down") return `${monitorName} ${isSameOutage ? "is still down" : "went down"}.`;
  if (toStatus === "degraded") return `${monitorName} is degraded.`;
  return fromStatus === "unknown" ? `${monitorName} is up.` : `${monitorName} is up again.`;
}
