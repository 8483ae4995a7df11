import { formatDuration } from "../i18n/format.ts";
import { i18n, translateMessage } from "../i18n/i18n.ts";
import type { NotificationEvent } from "./event-payloads.ts";

/** A notice that is kept, or that has just come; those of older versions have their English sentence alone. */
type Worded = Pick<NotificationEvent, "type" | "message" | "fact" | "reason"> & { event: string };

/** What people are told, in the reader's language: what happened, and why where that is known. */
export function noticeWords(notice: Worded): string {
  const { event, message, fact, reason } = notice;
  const what = whatHappened(notice);
  if (what === null) return message;
  if (reason === null || event === "monitor.up" || event === "device.online") return what;
  return i18n.t("notice.why", { what, reason: translateMessage(reason, fact?.because ?? null) });
}

type Event = NotificationEvent["event"];
/** What happened to a monitor's certificate, or its error budget. */
type PartEvent = Extract<Event, `${"certificate" | "objective"}.${string}`>;

const isOfPart = (event: Event): event is PartEvent => /^(?:certificate|objective)\./.test(event);

/** Null: not to be said in another way than the server does. */
function whatHappened({ event, type, fact }: Worded): string | null {
  const { name, lasted, left, others: count } = fact?.params ?? {};
  if (typeof name !== "string") return null;
  const known = event as Event;
  if (isOfPart(known)) return whatOfPart(known, { code: fact?.code, name, leftMs: Number(left) });
  switch (known) {
    case "monitor.down":
      if (typeof count === "number") return i18n.t("notice.downTogether", { name, count });
      return i18n.t("notice.down", { name });
    case "monitor.up":
      if (typeof count === "number") return i18n.t("notice.upTogether", { name, count });
      return typeof lasted === "number"
        ? i18n.t("notice.up", { name, duration: formatDuration(lasted, i18n.language) })
        : i18n.t("notice.settled", { name });
    case "monitor.degraded":
      return i18n.t("notice.degraded", { name });
    case "device.offline":
      return typeof count === "number"
        ? i18n.t("notice.downTogether", { name, count })
        : i18n.t("notice.offline", { name });
    case "device.online":
      return typeof count === "number"
        ? i18n.t("notice.upTogether", { name, count })
        : i18n.t("notice.online", { name });
    case "device.health":
      if (type === "success") return i18n.t("notice.healthy", { name });
      return i18n.t(type === "error" ? "notice.critical" : "notice.unhealthy", { name });
    case "monitor.flapping":
      return i18n.t("notice.flapping", { name });
    case "monitor.settled":
      return i18n.t(type === "error" ? "notice.settledDown" : "notice.settledUp", { name });
    case "monitor.stopped":
      return i18n.t("notice.stopped", { name });
    case "channel.disabled":
      return i18n.t("notice.channelDisabled", { name });
    default:
      return null;
  }
}

function whatOfPart(
  event: PartEvent,
  { code, name, leftMs }: { code: string | undefined; name: string; leftMs: number },
): string {
  switch (event) {
    case "certificate.expiring": {
      const duration = formatDuration(leftMs, i18n.language);
      return i18n.t("notice.certificateExpiring", { name, duration });
    }
    case "certificate.invalid":
      return i18n.t("notice.certificateInvalid", { name });
    case "certificate.renewed":
      return i18n.t("notice.certificateRenewed", { name });
    case "objective.burning":
      return i18n.t(code === "notice.budget_slow" ? "notice.budgetSlow" : "notice.budgetFast", { name });
    case "objective.steady":
      return i18n.t("notice.budgetSteady", { name });
  }
}
