import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { deliveryMoment } from "../../api/delivery-moment.ts";
import { type Incident, type IncidentDelivery, incidentDeliveriesQuery } from "../../api/incidents.ts";
import { manages, useRole } from "../../api/roles.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { FoldedList } from "./FoldedList.tsx";
import { UntoldChannels } from "./UntoldChannels.tsx";

const belowLook = "border-t border-line px-4 py-3 text-sm text-ink-muted";

/** Who was told of an incident, channel by channel: when, or why not. */
export function ToldCard({ id }: Pick<Incident, "id">) {
  const { t } = useTranslation("incidents");
  const query = useQuery(incidentDeliveriesQuery(id));
  return (
    <Section title={t("told.title")}>
      <Loaded
        of={query}
        failed={t("told.failed")}
        loading={<p className="px-4 pb-4 text-sm text-ink-faint">…</p>}
      >
        {({ deliveries, total, incomplete, untold }) => (
          <>
            {total === 0 && (
              <p className="px-4 pb-4 text-sm text-ink-muted">
                {t(incomplete ? "told.forgotten" : "told.none")}
              </p>
            )}
            <ul className="divide-y divide-line text-sm">
              <FoldedList
                items={byChannel(deliveries)}
                shown={channelsShown}
                more={(count) => t("told.untold.more", { count })}
                className="px-4 py-2.5"
              >
                {([key, own]) => <ChannelRow key={key} deliveries={own} isNamed={namesSeveral(deliveries)} />}
              </FoldedList>
            </ul>
            {total > deliveries.length && (
              <p className={belowLook}>{t("told.more", { count: total - deliveries.length })}</p>
            )}
            {incomplete && total > 0 && <p className={belowLook}>{t("told.incomplete")}</p>}
            <UntoldChannels untold={untold} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Of one channel, before the rest is folded. */
const messagesShown = 4;

/** Channels, before the rest is folded. */
const channelsShown = 6;

/** What each channel was sent, the oldest first: where something did not arrive comes first, your own come last. */
function byChannel(deliveries: readonly IncidentDelivery[]): [string, IncidentDelivery[]][] {
  const groups = Map.groupBy(deliveries.toReversed(), ({ isOwn, channelId, channelType }) =>
    isOwn ? `own ${channelType}` : String(channelId),
  );
  const rank = ([key, own]: [string, IncidentDelivery[]]): number =>
    own.some(({ failure, state }) => state === "failed" || failure !== null)
      ? 0
      : key.startsWith("own")
        ? 2
        : 1;
  return [...groups].toSorted((a, b) => rank(a) - rank(b));
}

/** One monitor alone stands in the title of the page. */
const namesSeveral = (deliveries: readonly IncidentDelivery[]): boolean =>
  new Set(deliveries.flatMap(({ subject }) => subject ?? [])).size > 1;

interface ChannelRowProps {
  deliveries: readonly IncidentDelivery[];
  isNamed: boolean;
}

function ChannelRow({ deliveries, isNamed }: ChannelRowProps) {
  const { t } = useTranslation("incidents");
  const role = useRole();
  const [first] = deliveries;
  if (!first) return null;
  const { isOwn, channelId, channelName, channelType } = first;
  const name = isOwn
    ? t(`told.own.${channelType}` as "told.own.email", { defaultValue: channelType })
    : channelName;
  return (
    <li className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <p className="min-w-0 font-medium wrap-anywhere">
        {channelId !== null && manages(role) ? (
          <Link
            to="/settings/channels/$id"
            params={{ id: String(channelId) }}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      <ul className="grid min-w-0 content-start gap-1">
        <FoldedList
          items={deliveries}
          shown={messagesShown}
          more={(count) => t("told.moreMessages", { count })}
        >
          {(delivery) => <DeliveryLine key={delivery.id} delivery={delivery} isNamed={isNamed} />}
        </FoldedList>
      </ul>
    </li>
  );
}

function DeliveryLine({ delivery, isNamed }: { delivery: IncidentDelivery; isNamed: boolean }) {
  const { t, i18n } = useTranslation("incidents");
  const { event, subject, state, failure, failureFact } = delivery;
  const moment = useMoment(delivery);
  const what = t(`told.event.${event.replaceAll(".", "_")}` as "told.event.reminder", {
    defaultValue: event,
  });
  return (
    <li className="wrap-anywhere">
      {isNamed && subject !== null && <span className="text-ink-muted">{subject}: </span>}
      {what}
      {" · "}
      <span
        className={state === "failed" ? "text-down-ink" : "text-ink-muted"}
        title={moment.at === null ? undefined : formatDateTime(moment.at, i18n.language)}
      >
        {moment.words}
      </span>
      {failure !== null && (
        <span className="block wrap-anywhere text-ink-muted">
          {factInReadersLanguage(failure, failureFact)}
        </span>
      )}
    </li>
  );
}

/** How it stands with a message, and which time that is about. */
function useMoment(delivery: IncidentDelivery) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const said = (key: "sent" | "held" | "next", at: string) => ({
    at,
    words: t(`told.${key}`, { time: formatMoment(at, now, i18n.language) }),
  });
  const { is, at } = deliveryMoment(delivery);
  if (is === "failed") return { at, words: t("told.failedState") };
  if (at !== null) return said(is, at);
  return { at, words: t(is === "behind" ? "told.behind" : "told.waiting") };
}
