import { formatDuration } from "../i18n/format.ts";
import { i18n, translateMessage } from "../i18n/i18n.ts";
import type { NotificationEvent } from "./event-payloads.ts";

/** A stored notification, or one that has just arrived; those of older versions have their English sentence only. */
type Worded = Pick<NotificationEvent, "type" | "message" | "fact" | "reason"> & { event: string };

/** A notification in the reader's language: what happened, and why where that is known. */
export function notificationWords(notification: Worded): string {
  const { event, message, fact, reason } = notification;
  const what = whatHappened(notification);
  if (what === null) return message;
  if (reason === null || event === "monitor.up" || event === "device.online") return what;
  return i18n.t("notification.why", { what, reason: translateMessage(reason, fact?.because ?? null) });
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
      if (typeof count === "number") return i18n.t("notification.downTogether", { name, count });
      return i18n.t("notification.down", { name });
    case "monitor.up":
      if (typeof count === "number") return i18n.t("notification.upTogether", { name, count });
      return typeof lasted === "number"
        ? i18n.t("notification.up", { name, duration: formatDuration(lasted, i18n.language) })
        : i18n.t("notification.fullyUp", { name });
    case "monitor.degraded":
      return i18n.t("notification.degraded", { name });
    case "device.offline":
      return typeof count === "number"
        ? i18n.t("notification.downTogether", { name, count })
        : i18n.t("notification.offline", { name });
    case "device.online":
      return typeof count === "number"
        ? i18n.t("notification.upTogether", { name, count })
        : i18n.t("notification.online", { name });
    case "device.health":
      if (type === "success") return i18n.t("notification.healthy", { name });
      return i18n.t(type === "error" ? "notification.critical" : "notification.unhealthy", { name });
    case "monitor.flapping":
      return i18n.t("notification.flapping", { name });
    case "monitor.settled":
      return i18n.t(type === "error" ? "notification.stableDown" : "notification.stableUp", { name });
    case "monitor.stopped":
      return i18n.t("notification.stopped", { name });
    case "channel.disabled":
      return i18n.t("notification.channelDisabled", { name });
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
      return i18n.t("notification.certificateExpiring", { name, duration });
    }
    case "certificate.invalid":
      return i18n.t("notification.certificateInvalid", { name });
    case "certificate.renewed":
      return i18n.t("notification.certificateRenewed", { name });
    case "objective.burning":
      return code === "notification.budget_slow"
        ? i18n.t("notification.budgetSlow", { name })
        : i18n.t("notification.budgetFast", { name });
    case "objective.steady":
      return i18n.t("notification.budgetSteady", { name });
  }
}
