import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, incidentsOfMonitorQuery, incidentWith } from "../../api/incidents.ts";
import { statusHistoryQuery } from "../../api/monitor.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { type ShownStatus, StatusDot } from "../../components/StatusDot.tsx";
import { Time } from "../../components/Time.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDuration, formatSpan, hasJustBegun } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { useKind, useMonitorTexts } from "../descriptor.ts";
import { type StatusEvent, statusEvents } from "./status-periods.ts";

const shownAtOnce = 10;

const dots: Record<StatusEvent["kind"], ShownStatus> = {
  down: "down",
  degraded: "degraded",
  flapping: "flapping",
  offline: "unknown",
  paused: "paused",
  maintenance: "unknown",
};

/** What happened to a monitor in the last 90 days, newest first: outages with why and how long, pauses, restarts. */
export function HistoryCard({ id }: { id: number }) {
  const { t } = useTranslation("monitors");
  const query = useQuery(statusHistoryQuery(useKind(), id));
  const incidents = useQuery(incidentsOfMonitorQuery(id)).data;
  const [isWhole, setWhole] = useState(false);
  return (
    <Section title={t("history.title")}>
      <Loaded
        of={{ ...query, data: query.data && statusEvents(query.data) }}
        failed={t("history.failed")}
        loading={<Skeleton className="mx-4 mt-1 mb-5 h-3 w-56" />}
        empty={t("history.empty")}
      >
        {(events) => (
          <>
            <ul>
              {(isWhole ? events : events.slice(0, shownAtOnce)).map((event) => (
                <EventRow
                  key={`${event.kind} ${event.fromMs}`}
                  event={event}
                  incident={event.kind === "down" ? incidentWith(incidents, id, event) : undefined}
                />
              ))}
            </ul>
            {!isWhole && events.length > shownAtOnce && (
              <div className="border-t border-line p-3 text-center">
                <Button variant="quiet" onClick={() => setWhole(true)}>
                  {t("history.all", { count: events.length })}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EventRow({ event, incident }: { event: StatusEvent; incident: Incident | undefined }) {
  const { kind, fromMs, reason, reasonFact } = event;
  const why = (kind === "down" || kind === "degraded") && reason !== null;
  return (
    <li data-event={kind} className="flex gap-3 border-t border-line px-4 py-2.5">
      <StatusDot status={dots[kind]} plain className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-4">
          <p className="min-w-0">
            {incident ? (
              <Link
                to="/incidents/$id"
                params={{ id: String(incident.id) }}
                className="rounded-sm underline-offset-4 hover:underline"
              >
                <EventSentence event={event} />
              </Link>
            ) : (
              <EventSentence event={event} />
            )}
          </p>
          <Time
            at={new Date(fromMs).toISOString()}
            as="ago"
            className="shrink-0 text-xs whitespace-nowrap text-ink-faint"
          />
        </div>
        {why && (
          <p className="text-sm text-pretty break-words text-ink-muted">
            {translateMessage(reason, reasonFact)}
          </p>
        )}
      </div>
    </li>
  );
}

/** "Down for 12 minutes, 23:06–23:18"; while it goes on without its end. */
function EventSentence({ event: { kind, fromMs, toMs, changes } }: { event: StatusEvent }) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(undefined);
  const now = useNow();
  const durationMs = (toMs ?? now) - fromMs;
  const duration = formatDuration(durationMs, i18n.language);
  if (kind === "flapping") return t("history.flapping", { changes, duration });
  if (toMs === null && hasJustBegun(durationMs)) return t(`history.begun.${kind}`);
  if (toMs === null) return t(`history.now.${kind}`, { duration });
  const span = formatSpan(fromMs, toMs, now, i18n.language);
  return kind === "offline" ? t("history.offline", { span }) : t(`history.${kind}`, { duration, span });
}
