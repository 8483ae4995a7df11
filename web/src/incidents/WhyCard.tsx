import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Explanation, explanationQuery, type Incident } from "../api/incidents.ts";
import { Section } from "../components/Card.tsx";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { StatusDot } from "../components/StatusDot.tsx";
import { Time } from "../components/Time.tsx";
import { useNow } from "../components/use-now.ts";
import { formatMoment, formatResponseTime, formatRuntime } from "../i18n/format.ts";
import { locationInReadersLanguage, translateMessage } from "../i18n/i18n.ts";
import { MoreMembers } from "./IncidentStatusText.tsx";
import { WhatIfForm } from "./WhatIfForm.tsx";

type Outage = Explanation["outages"][number];
type Note = Outage["notes"][number];
type Transition = Outage["transitions"][number];

/** Why it opened and closed: what was seen from where, and what the settings made of it. */
export function WhyCard({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const query = useQuery(explanationQuery(incident.id));
  if (!incident.affected.some(({ outageStartedAt }) => outageStartedAt !== null)) return null;
  return (
    <Section title={t("why.title")}>
      <Loaded of={query} failed={t("why.failed")} loading={<Skeleton className="mx-4 mb-4 h-12" />}>
        {(explained) => <Explained of={explained} id={incident.id} />}
      </Loaded>
    </Section>
  );
}

/** The first of its outages, and the others once they are unfolded. Notes about all of them are shown once. */
function Explained({ of: { outages, notes }, id }: { of: Explanation; id: number }) {
  const { t } = useTranslation("incidents");
  const [first, ...others] = outages;
  const isSaid = (one: Note, outage: Outage) => outage.notes.some(({ message }) => message === one.message);
  const common =
    others.length === 0
      ? []
      : (first?.notes ?? []).filter((one) => others.every((other) => isSaid(one, other)));
  const shared = new Set(common.map(({ message }) => message));
  const own = outages.map((outage, index) => (
    <OutageWhy
      key={`${outage.monitorId} ${outage.startedAt} ${index}`}
      outage={{ ...outage, notes: outage.notes.filter(({ message }) => !shared.has(message)) }}
      named={outages.length > 1}
    />
  ));
  return (
    <div className="grid gap-3 px-4 pb-4">
      {own.slice(0, 1)}
      {others.length > 0 && (
        <MoreMembers label={t("moreMembers", { count: others.length })} className="gap-4">
          {own.slice(1)}
        </MoreMembers>
      )}
      <Notes of={[...common, ...notes]} />
      {outages.some(({ kind }) => kind !== "device") && <WhatIfForm id={id} outages={outages} />}
    </div>
  );
}

/** Maintenance that begins or ends during an outage is recorded too, and changes nothing about it. */
const isChange = ({ from, to }: Transition): boolean => from !== to;

function OutageWhy({ outage, named }: { outage: Outage; named: boolean }) {
  return (
    <div className="grid min-w-0 gap-2">
      {named && <h3 className="font-medium wrap-anywhere">{outage.name}</h3>}
      <ol className="grid gap-2">
        {outage.transitions.filter(isChange).map((one, index) => (
          <TransitionWhy key={`${one.at} ${index}`} transition={one} />
        ))}
      </ol>
      <Notes of={outage.notes} />
    </div>
  );
}

function TransitionWhy({ transition }: { transition: Transition }) {
  const { t } = useTranslation("incidents");
  const { to, detectedAt, message, fact, votes, results } = transition;
  return (
    <li data-why={to} className="flex min-w-0 gap-3">
      <span className="grid h-5 w-4 shrink-0 place-items-center">
        <StatusDot status={to} plain />
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-pretty wrap-anywhere">
          <Time at={detectedAt} className="mr-2 text-sm text-ink-muted" />
          {translateMessage(message, fact)}
        </p>
        {results.length > 0 && (
          <details className="mt-1 text-sm">
            <summary className="w-fit cursor-pointer rounded-sm text-ink-muted">
              {t("why.checks", { count: results.length })}
            </summary>
            <ul className="mt-1.5 grid gap-1">
              {votes.map((vote) => (
                <li key={vote.location} className="wrap-anywhere">
                  {translateMessage(vote.message, vote.fact)}
                </li>
              ))}
            </ul>
            <Checks of={results} />
          </details>
        )}
      </div>
    </li>
  );
}

/** The checks behind a change, with what each was made for. */
function Checks({ of: results }: { of: Transition["results"] }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  return (
    <ol className="mt-2 grid gap-1.5 border-l border-line pl-3">
      {results.map((one) => (
        <li key={`${one.location} ${one.at}`} className="wrap-anywhere">
          <span className="tabular-nums">{formatMoment(one.at, now, i18n.language)}</span>{" "}
          <span className="text-ink-muted">
            {[
              locationInReadersLanguage(one.location),
              t(`why.state.${one.state}`),
              one.responseTime !== null && formatResponseTime(one.responseTime, i18n.language),
              one.isRecheck &&
                one.sincePrevious !== null &&
                t("why.recheck", { duration: formatRuntime(one.sincePrevious, i18n.language) }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {one.message !== null && (
            <span className="block text-ink-muted">{translateMessage(one.message, one.fact)}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Notes({ of: notes }: { of: Explanation["notes"] }) {
  return notes.map(({ message, fact }) => (
    <p key={message} className="text-sm text-pretty text-ink-muted">
      {translateMessage(message, fact)}
    </p>
  ));
}
