import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { deliveryMoment } from "../api/delivery-moment.ts";
import {
  type Incident,
  type IncidentChannel,
  type IncidentDelivery,
  incidentDeliveriesQuery,
} from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { Section } from "../components/Card.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { useNow } from "../components/use-now.ts";
import { formatClock, formatDateTime, formatMoment } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";

const footnote = "border-t border-line px-4 py-3 text-sm text-ink-muted";

/** Who was notified of an incident, channel by channel: when, of what, what it waits for, or why it is sent nothing. */
export function NotifiedCard({ id }: Pick<Incident, "id">) {
  const { t } = useTranslation("incidents");
  const query = useQuery(incidentDeliveriesQuery(id));
  return (
    <Section title={t("notified.title")}>
      <Loaded
        of={query}
        failed={t("notified.failed")}
        loading={<p className="px-4 pb-4 text-sm text-ink-faint">…</p>}
      >
        {({ deliveries, total, incomplete, channels }) => (
          <>
            {total === 0 && channels.length === 0 && (
              <p className="px-4 pb-4 text-sm text-ink-muted">
                {t(incomplete ? "notified.forgotten" : "notified.none")}
              </p>
            )}
            <ul className="divide-y divide-line text-sm">
              <FoldedList
                items={byChannel(deliveries, channels)}
                shown={channelsShown}
                more={(count) => t("notified.moreChannels", { count })}
                className="px-4 py-2.5"
              >
                {(one) => <ChannelRow key={one.key} notified={one} isNamed={namesSeveral(deliveries)} />}
              </FoldedList>
            </ul>
            {total > deliveries.length && (
              <p className={footnote}>{t("notified.more", { count: total - deliveries.length })}</p>
            )}
            {incomplete && total > 0 && <p className={footnote}>{t("notified.incomplete")}</p>}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Of one channel, before the rest is folded. */
const messagesShown = 4;

/** Channels, before the rest is folded. */
const channelsShown = 8;

interface NotifiedChannel {
  key: string;
  /** Undefined: it is gone, or was only sent what people wrote. */
  channel: IncidentChannel | undefined;
  /** The oldest first. */
  deliveries: IncidentDelivery[];
}

/** Each channel with what it was sent: where something is wrong comes first, then who was notified, then who is sent nothing. */
function byChannel(
  deliveries: readonly IncidentDelivery[],
  channels: readonly IncidentChannel[],
): NotifiedChannel[] {
  const groups = Map.groupBy(deliveries.toReversed(), ({ isOwn, channelId, channelType }) =>
    isOwn ? `own ${channelType}` : String(channelId),
  );
  const known = new Map(channels.map((one) => [one.isOwn ? `own ${one.type}` : String(one.id), one]));
  return [...new Set([...groups.keys(), ...known.keys()])]
    .map((key) => ({ key, channel: known.get(key), deliveries: groups.get(key) ?? [] }))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ key, channel, deliveries }: NotifiedChannel): number {
  if (channel?.why === "disabled" || channel?.why === "failing") return 0;
  if (deliveries.some((one) => one.failure !== null && deliveryMoment(one).is !== "dropped")) return 0;
  if (channel?.state === "none") return 3;
  return key.startsWith("own") ? 2 : 1;
}

/** A single monitor is already in the title of the page. */
const namesSeveral = (deliveries: readonly IncidentDelivery[]): boolean =>
  new Set(deliveries.flatMap(({ subject }) => subject ?? [])).size > 1;

interface ChannelRowProps {
  notified: NotifiedChannel;
  isNamed: boolean;
}

function ChannelRow({ notified: { channel, deliveries }, isNamed }: ChannelRowProps) {
  const { t } = useTranslation("incidents");
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <ChannelName channel={channel} delivery={deliveries[0]} />
      <div className="grid min-w-0 content-start gap-1">
        {channel && <ChannelState channel={channel} />}
        {deliveries.length > 0 && (
          <ul className="grid min-w-0 content-start gap-1">
            <FoldedList
              items={deliveries}
              shown={messagesShown}
              more={(count) => t("notified.moreMessages", { count })}
            >
              {(delivery) => (
                <DeliveryLine
                  key={delivery.id}
                  delivery={delivery}
                  isNamed={isNamed}
                  saidAt={channel?.why === "failing" ? channel.nextAt : null}
                />
              )}
            </FoldedList>
          </ul>
        )}
      </div>
    </li>
  );
}

/** Its name, which leads to its settings, or by which way it reaches the reader. */
function ChannelName({
  channel,
  delivery,
}: {
  channel: IncidentChannel | undefined;
  delivery: IncidentDelivery | undefined;
}) {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const type = channel?.type ?? delivery?.channelType ?? "";
  const isOwn = channel?.isOwn ?? delivery?.isOwn ?? false;
  const id = channel?.id ?? delivery?.channelId ?? null;
  const own = () => t(`notified.own.${type}` as "notified.own.email", { defaultValue: type });
  const name: ReactNode = isOwn ? own() : <bdi>{channel?.name ?? delivery?.channelName}</bdi>;
  const link = { className: "rounded-sm underline-offset-4 hover:underline", children: name };
  return (
    <p className="min-w-0 font-medium wrap-anywhere">
      {isOwn ? (
        <Link to="/settings/notifications" {...link} />
      ) : id !== null && mayWrite ? (
        <Link to="/settings/channels/$id" params={{ id: String(id) }} {...link} />
      ) : (
        name
      )}
    </p>
  );
}

interface DeliveryLineProps {
  delivery: IncidentDelivery;
  isNamed: boolean;
  /** The time of the next attempt that the line above names already; null: it names none. */
  saidAt: string | null;
}

function DeliveryLine({ delivery, isNamed, saidAt }: DeliveryLineProps) {
  const { t, i18n } = useTranslation("incidents");
  const { event, subject, failure, failureFact } = delivery;
  const moment = useMoment(delivery);
  const isSaid = moment.is === "next" && moment.at === saidAt;
  const what = t(`notified.event.${event.replaceAll(".", "_")}` as "notified.event.reminder", {
    defaultValue: event,
  });
  return (
    <li className="wrap-anywhere">
      {isNamed && subject !== null && (
        <span className="text-ink-muted">{t("notified.about", { subject })} </span>
      )}
      {what}
      {!isSaid && (
        <>
          {" · "}
          <span
            className={moment.is === "failed" ? "text-down-ink" : "text-ink-muted"}
            title={moment.at === null ? undefined : formatDateTime(moment.at, i18n.language)}
          >
            {moment.words}
          </span>
        </>
      )}
      {failure !== null && (
        <span className="block wrap-anywhere text-ink-muted">{translateMessage(failure, failureFact)}</span>
      )}
    </li>
  );
}

/** The state of a message, and the time of that. */
function useMoment(delivery: IncidentDelivery) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const said = (key: "sent" | "next", at: string) => ({
    ...{ is: key, at },
    words: t(`notified.${key}`, { time: formatMoment(at, now, i18n.language) }),
  });
  const { is, at } = deliveryMoment(delivery);
  if (is === "failed") return { is, at, words: t("notified.failedState") };
  if (at !== null) return said(is, at);
  return { is, at, words: t(`notified.${is === "sent" ? "waiting" : is}`) };
}

interface FoldedListProps<Item> {
  items: readonly Item[];
  /** The rows before the rest is unfolded; one more than that is not folded. */
  shown: number;
  /** What the button says that unfolds the rest. */
  more: (count: number) => string;
  /** Of the row that has the button. */
  className?: string;
  children: (item: Item) => ReactNode;
}

/** The items of a list, of a long one the first, and a button that brings the others. */
function FoldedList<Item>({ items, shown, more, className, children }: FoldedListProps<Item>) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = !isOpen && items.length > shown + 1;
  /** The button goes away: the keyboard continues at the first row that it brought. */
  const open = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const last = currentTarget.closest("li")?.previousElementSibling;
    flushSync(() => setOpen(true));
    const first = last?.nextElementSibling;
    if (!(first instanceof HTMLElement)) return;
    first.tabIndex = -1;
    first.focus();
  };
  return (
    <>
      {(isFolded ? items.slice(0, shown) : items).map(children)}
      {isFolded && (
        <li className={className}>
          <button
            type="button"
            onClick={open}
            className="rounded-sm text-ink-muted underline underline-offset-4 hover:text-ink"
          >
            {more(items.length - shown)}
          </button>
        </li>
      )}
    </>
  );
}

/** The state of a channel: when it was notified, what it waits for, or why it is sent nothing. */
function ChannelState({ channel }: { channel: IncidentChannel }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const mayWrite = useMayWrite();
  const state = useStateInWords(channel);
  const list = useWants();
  const { id, why, wants, state: is, sentAt, nextAt } = channel;
  const isDisabled = why === "disabled";
  const isWrong = isDisabled || why === "failing";
  const isNotNamed = is === "notified" ? "reminder" : isDisabled ? "attempt" : null;
  const time = (at: string) => ({ time: formatMoment(at, now, i18n.language) });
  return (
    <p className={isWrong ? "wrap-anywhere text-down-ink" : "wrap-anywhere text-ink-muted"}>
      {state}
      {is === "notified" && wants !== null && <> · {t("notified.why.filteredRest", { what: list(wants) })}</>}
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
    case "failing":
      if (nextAt === null) return t("notified.why.sending");
      return t(`notified.why.${sentAt === null ? "failing" : "failingAgain"}`, time(nextAt));
    case "throttled":
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

/** With a space between Chinese characters and letters of other scripts, as everywhere else in Chinese texts. */
const spaced = (text: string): string =>
  text.replace(
    /(?<=\p{Script=Han})(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d])(?=\p{Script=Han})/gu,
    " ",
  );

/** Says what a filter wants: "critical only". */
function useWants(): (wants: NonNullable<IncidentChannel["wants"]>) => string {
  const { t, i18n } = useTranslation("incidents");
  const join = (items: readonly string[]) =>
    spaced(new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(items));
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
