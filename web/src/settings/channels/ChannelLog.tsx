import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Channel, type ChannelDelivery, deliveriesQuery, useResend } from "../../api/channels.ts";
import { deliveryMoment } from "../../api/delivery-moment.ts";
import { useMayWrite } from "../../api/roles.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { LogPages } from "../../components/LogPages.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";

/** What a channel was sent, newest first, with each try, and a way to send it again. */
export function ChannelLog({ channel }: { channel: Channel }) {
  const { t } = useTranslation("settings/channels");
  const { id } = channel;
  const [page, setPage] = useState(1);
  const query = useQuery(deliveriesQuery(id, page));
  return (
    <Section title={t("log.title")}>
      <Loaded
        of={query}
        failed={t("log.failed")}
        loading={<p className="px-4 pb-4 text-sm text-ink-faint">…</p>}
      >
        {({ deliveries, pages, total }) =>
          total === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-muted">{t("nothingSent")}</p>
          ) : (
            <>
              <ul className="divide-y divide-line">
                {deliveries.map((delivery) => (
                  <DeliveryRow key={delivery.id} channel={channel} delivery={delivery} />
                ))}
              </ul>
              {pages > 1 && <LogPages {...{ page, pages, total }} onPage={setPage} />}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Nothing is sent again to a channel that is off but a test, nor to an address that is not confirmed. */
const takesAgain = ({ enabled, confirmed }: Channel, { event, state }: ChannelDelivery): boolean =>
  confirmed && (enabled || event === "test") && state !== "waiting" && event !== "confirmation";

function DeliveryRow({ channel, delivery }: { channel: Channel; delivery: ChannelDelivery }) {
  const { t, i18n } = useTranslation("settings/channels");
  const now = useNow();
  const mayWrite = useMayWrite();
  const resend = useResend(channel.id);
  const { event, subject, state, failure, failureFact, createdAt, triedAt, attempts } = delivery;
  const { is, at } = deliveryMoment({ ...delivery, sentAt: triedAt });
  const time = state === "waiting" ? createdAt : (triedAt ?? createdAt);
  const what = t(`event.${event.replaceAll(".", "_")}` as "event.test", { defaultValue: event });
  const again = () =>
    resend.mutate(delivery, {
      onSuccess: () => showToast("success", t("log.resent")),
      onError: (error) => showToast("error", error.message),
    });
  return (
    <li className="px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <span className="font-medium break-words">
            {subject === null ? what : t("log.about", { subject, event: what })}
          </span>{" "}
          <span className={is === "failed" ? "text-down-ink" : "text-ink-muted"}>
            {t(`log.state.${is === "behind" || is === "dropped" ? is : state}`)}
          </span>
          <span className="text-ink-faint" title={formatDateTime(time, i18n.language)}>
            {" · "}
            {formatMoment(time, now, i18n.language)}
          </span>
          {at !== null && is === "next" && (
            <span className="text-ink-faint" title={formatDateTime(at, i18n.language)}>
              {" · "}
              {t(`log.${is}`, { time: formatMoment(at, now, i18n.language) })}
            </span>
          )}
        </div>
        {mayWrite && takesAgain(channel, delivery) && (
          <Button variant="quiet" busy={resend.isPending} onClick={again}>
            {t("log.resend")}
          </Button>
        )}
      </div>
      {failure !== null && (
        <p className="mt-1 wrap-anywhere text-ink-muted">{translateMessage(failure, failureFact)}</p>
      )}
      {attempts.length > 0 && (
        <details className="mt-2">
          <summary className="w-fit cursor-pointer rounded-sm text-ink-muted">
            {t("log.attempts", { count: attempts.length })}
          </summary>
          <ol className="mt-2 grid gap-3">
            {attempts.map((attempt) => (
              <AttemptRow key={attempt.at} attempt={attempt} />
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function AttemptRow({ attempt }: { attempt: ChannelDelivery["attempts"][number] }) {
  const { t, i18n } = useTranslation("settings/channels");
  const { at, said, saidFact, request, answer } = attempt;
  return (
    <li className="min-w-0">
      <p className="break-words text-ink-muted">
        {formatDateTime(at, i18n.language)} · {said === null ? "" : translateMessage(said, saidFact)}
      </p>
      {request && (
        <Sent label={t("log.request")} text={`${request.method} ${request.url}\n${request.body}`} />
      )}
      {answer && <Sent label={t("log.answer")} text={`${answer.status}\n${answer.body}`} />}
    </li>
  );
}

function Sent({ label, text }: { label: string; text: string }) {
  return (
    <figure className="mt-1.5">
      <figcaption className="text-xs text-ink-faint">{label}</figcaption>
      <pre className="mt-0.5 max-h-48 overflow-auto rounded-md bg-hover p-2 text-xs break-all whitespace-pre-wrap">
        {text}
      </pre>
    </figure>
  );
}
