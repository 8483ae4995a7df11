import { AUDIT_SENTENCES, type AuditSentence } from "../account/audit-actions.ts";
import type { ChangeActivity } from "../store/queries/activity.ts";

/** For what another version of the server has recorded. */
const UNKNOWN = { named: "{who} changed {subject}.", unnamed: "{who} changed something." };

/** What somebody changed, as a sentence: `Ada deleted the domain Shop.` Where the name was not kept, it says none. */
export function describeChange({
  action,
  userName,
  subject,
}: Pick<ChangeActivity, "action" | "userName" | "subject">): string {
  const known: Readonly<Record<string, AuditSentence>> = AUDIT_SENTENCES;
  const sentence = (Object.hasOwn(known, action) && known[action]) || UNKNOWN;
  const text = typeof sentence === "string" ? sentence : subject ? sentence.named : sentence.unnamed;
  const words = { "{who}": userName ?? "Somebody", "{subject}": subject ?? "" };
  return text.replace(/\{who\}|\{subject\}/g, (word) => words[word as keyof typeof words]);
}
