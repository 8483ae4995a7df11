import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { IncidentChannel } from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatMoment } from "../i18n/format.ts";

/** How it stands with a channel: when it was notified, what it waits for, or why it is sent nothing. */
export function ChannelState({ channel }: { channel: IncidentChannel }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const mayWrite = useMayWrite();
  const state = useStateInWords(channel);
  const { id, why, state: is, sentAt, nextAt } = channel;
  const isDisabled = why === "disabled";
  const isNotNamed = is === "notified" ? "reminder" : isDisabled ? "attempt" : null;
  const time = (at: string) => ({ time: formatMoment(at, now, i18n.language) });
  return (
    <p className={isDisabled ? "wrap-anywhere text-down-ink" : "wrap-anywhere text-ink-muted"}>
      {state}
      {isNotNamed && nextAt !== null && <> · {t(`notified.${isNotNamed}`, time(nextAt))}</>}
      {(is === "waiting" || is === "none") && sentAt !== null && <> · {t("notified.last", time(sentAt))}</>}
      {isDisabled && id !== null && mayWrite && (
        <>
          {" · "}
          <Link
            to="/settings/channels/$id"
            params={{ id: String(id) }}
            className="rounded-sm font-medium underline underline-offset-4"
          >
            {t("notified.settings")}
          </Link>
        </>
      )}
    </p>
  );
}

function useStateInWords({ state, why, wants, sentAt, nextAt, since }: IncidentChannel): string {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const list = useWants();
  const time = (at: string) => ({ time: formatMoment(at, now, i18n.language) });
  if (state === "notified" || state === "resolved")
    return sentAt === null ? t("notified.why.sending") : t(`notified.state.${state}`, time(sentAt));
  switch (why) {
    case null:
      return t(state === "waiting" ? "notified.why.sending" : "notified.why.unknown");
    case "event":
    case "severity":
    case "tags":
      return t("notified.why.filtered", { what: list(wants ?? {}) });
    case "off":
    case "disabled":
      if (since === null) return t(`notified.why.${why}`);
      return t(`notified.why.${why}Since`, { time: formatClock(Date.parse(since), now, i18n.language) });
    case "throttled":
    case "failing":
    case "group_interval":
    case "quiet_hours":
      return nextAt === null ? t("notified.why.sending") : t(`notified.why.${why}`, time(nextAt));
    case "sending":
    case "maintenance":
    case "parent":
    case "recovered_unnotified":
    case "shared_mail":
    case "added_later":
    case "unconfirmed":
    case "no_mail":
      return t(`notified.why.${why}`);
  }
}

/** Says what a filter wants: "critical only". */
function useWants(): (wants: NonNullable<IncidentChannel["wants"]>) => string {
  const { t, i18n } = useTranslation("incidents");
  const join = (items: readonly string[]) =>
    new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(items);
  const small = (word: string) => word.toLocaleLowerCase(i18n.language);
  return ({ events = [], severities = [], tags = [] }) => {
    const eventWords = events.map((event) =>
      t(`notified.event.${event.replaceAll(".", "_")}` as "notified.event.reminder", { defaultValue: event }),
    );
    const severityWords = severities.map((severity) => small(t(`severity.${severity}`)));
    const parts = [
      severities.length > 0 && t("notified.wants.severities", { list: join(severityWords) }),
      tags.length > 0 && t("notified.wants.tags", { list: join(tags), count: tags.length }),
      events.length > 0 && t("notified.wants.events", { list: join(eventWords), count: events.length }),
    ];
    return join(parts.filter((part) => part !== false));
  };
}
