import type { Activity, ChangeActivity, StatusActivity } from "../store/queries/activity.ts";

/** One thing that happened, as a sentence. */
export function describeActivity(activity: Activity): string {
  if (activity.kind === "incident") return activity.text;
  return activity.kind === "status" ? describeStatus(activity) : describeChange(activity);
}

function describeStatus({ monitorName, fromStatus, toStatus, reason }: StatusActivity): string {
  if (toStatus === "unknown") {
    return reason === "paused" ? `${monitorName} was paused.` : `${monitorName} is not being monitored.`;
  }
  if (toStatus === "down") return `${monitorName} went down.`;
  if (toStatus === "degraded") return `${monitorName} is degraded.`;
  return fromStatus === "unknown" ? `${monitorName} is up.` : `${monitorName} is up again.`;
}

const PAST: Record<string, string> = {
  create: "created",
  update: "changed",
  delete: "deleted",
  pause: "paused",
  resume: "resumed",
  tag: "tagged",
};

/** `create domains` with 7 becomes `Ada created domains 7.` */
function describeChange({ action, userName, resourceId }: ChangeActivity): string {
  const [verb = "", ...object] = action.split(" ");
  const what = [PAST[verb] ?? verb, ...object, ...(resourceId ? [resourceId] : [])].join(" ");
  return `${userName ?? "Somebody"} ${what}.`;
}
