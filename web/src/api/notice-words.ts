import { formatDuration } from "../format.ts";
import { factInReadersLanguage, i18n } from "../i18n/i18n.ts";
import type { NotificationEvent } from "./event-payloads.ts";
import type { Notice } from "./notices.ts";

/** What a notice is made of. */
type NoticeFacts = Pick<
  NotificationEvent,
  "event" | "type" | "monitorName" | "outageMs" | "reason" | "reasonFact"
>;

/** A notice that is kept, in the reader's language; those of older versions have their English sentence alone. */
export function keptNoticeWords({ event, type, message, fact, reason }: Notice): string {
  const { name, lasted } = fact?.params ?? {};
  if (typeof name !== "string") return message;
  return noticeWords({
    event: event as NotificationEvent["event"],
    type,
    monitorName: name,
    outageMs: typeof lasted === "number" ? lasted : null,
    reason,
    reasonFact: fact?.because ?? null,
  });
}

/** What people are told, in the reader's language: what happened, and why where that is known. */
export function noticeWords(event: NoticeFacts): string {
  const what = whatHappened(event);
  if (event.reason === null || event.event === "monitor.up") return what;
  return i18n.t("notice.why", { what, reason: factInReadersLanguage(event.reason, event.reasonFact) });
}

function whatHappened({ event, type, monitorName: name, outageMs }: NoticeFacts): string {
  switch (event) {
    case "monitor.down":
      return i18n.t("notice.down", { name });
    case "monitor.up":
      return outageMs === null
        ? i18n.t("notice.settled", { name })
        : i18n.t("notice.up", { name, duration: formatDuration(outageMs, i18n.language) });
    case "monitor.degraded":
      return i18n.t("notice.degraded", { name });
    case "monitor.flapping":
      return i18n.t("notice.flapping", { name });
    case "monitor.settled":
      return i18n.t(type === "error" ? "notice.settledDown" : "notice.settledUp", { name });
    case "monitor.stopped":
      return i18n.t("notice.stopped", { name });
  }
}
