import { AUDIT_SENTENCES, type AuditSentence } from "../platform/access/audit-actions.ts";
import type { Activity, ChangeActivity, StatusActivity } from "./queries/activity.ts";

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

/** Recorded by another version of the server. */
const UNKNOWN = { named: "{who} changed {subject}.", unnamed: "{who} changed something." };

/** `Ada deleted the domain Shop.` Without the name where it was not recorded. */
export function describeChange(change: DescribedChange): string {
  const known: Readonly<Record<string, AuditSentence>> = AUDIT_SENTENCES;
  const sentence = (Object.hasOwn(known, change.action) && known[change.action]) || UNKNOWN;
  const { subject, before, after } = change;
  const words: Readonly<Record<string, string | null>> = {
    who: change.userName ?? "An unknown user",
    subject,
    before,
    after,
  };
  return textOf(sentence, words).replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? "");
}

type DescribedChange = Pick<ChangeActivity, "action" | "userName" | "subject" | "before" | "after">;

/** The most specific sentence for which all words are known. */
function textOf(sentence: AuditSentence, words: Readonly<Record<string, string | null>>): string {
  if (typeof sentence === "string") return sentence;
  const { valued, named, unnamed } = sentence;
  const missing = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !words[name]);
  if (valued !== undefined && !missing(valued)) return valued;
  return missing(named) ? unnamed : named;
}
