import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../api/client.ts";
import { dashboardStatsQuery } from "../api/dashboard-stats.ts";
import {
  type Incident,
  incidentDeliveriesQuery,
  stillDown,
  titleOf,
  useIncidentAct,
} from "../api/incidents.ts";
import { membersQuery } from "../api/organization.ts";
import { type Session, sessionQuery } from "../api/session.ts";
import { statusInk } from "../components/StatusDot.tsx";
import { Time } from "../components/Time.tsx";
import { useNow } from "../components/use-now.ts";
import { Select } from "../forms/Select.tsx";
import { directionOf } from "../i18n/direction.ts";
import { formatMoment } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { showToast } from "../toasts.ts";
import { IncidentStatusText, toneOf, useJoinedNames, useLasting } from "./IncidentStatusText.tsx";

const panels = { down: "border-transparent bg-down-soft", degraded: "border-transparent bg-warn-soft" };

export function IncidentHeader({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const lasting = useLasting()(incident);
  const { status, description, fact, mergedIntoId, automatic, resolvedAt } = incident;
  const tone = toneOf(incident);
  const words = translateMessage(description, fact);
  return (
    <header className="mb-5 grid gap-y-4">
      <h1 dir={directionOf(titleOf(incident))} className="w-fit text-xl font-semibold wrap-anywhere">
        {titleOf(incident)}
      </h1>
      <div
        data-incident-status={status}
        data-incident-tone={tone}
        className={`rounded-lg border px-4 py-3.5 shadow-card ${tone === "up" ? "border-line bg-surface" : panels[tone as keyof typeof panels]}`}
      >
        <p
          role="status"
          className={`flex flex-wrap items-baseline gap-x-2.5 text-lg font-semibold ${tone === "up" ? "text-up-ink" : statusInk[tone]}`}
        >
          <IncidentStatusText incident={incident} />
          <span className="text-sm font-normal text-ink-muted tabular-nums">
            {t(resolvedAt === null ? "going" : "lasted", { duration: lasting })}
          </span>
        </p>
        <NamedDeployment incident={incident} />
        <LeadReason incident={incident} />
        {words && <p className="mt-1 text-pretty wrap-anywhere whitespace-pre-line">{words}</p>}
        {mergedIntoId !== null && (
          <p className="mt-1">
            <Link
              to="/incidents/$id"
              params={{ id: String(mergedIntoId) }}
              className="rounded-sm font-medium underline underline-offset-4"
            >
              {t("merged", { id: mergedIntoId })}
            </Link>
          </p>
        )}
        {automatic && resolvedAt === null && (
          <p className="mt-1 text-sm text-ink-muted max-sm:hidden">{t("automatic")}</p>
        )}
      </div>
      <Details incident={incident} canChange={canChange} />
    </header>
  );
}

/** The deployment that it started soon after: the first thing to look at. */
function NamedDeployment({ incident: { deployment } }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  if (!deployment) return null;
  const { sentence, fact, message, url } = deployment;
  return (
    <p className="mt-1 font-medium text-pretty wrap-anywhere" data-incident-deployment>
      {translateMessage(sentence, fact)}
      {message && <span className="font-normal text-ink-muted"> {message}</span>}
      {url && (
        <>
          {" "}
          <a href={url} rel="noreferrer" target="_blank" className="rounded-sm underline underline-offset-4">
            {t("deployment")}
          </a>
        </>
      )}
    </p>
  );
}

/** Words that say why themselves. */
const ofOneAlone =
  /^incident\.(?:outage|keeps_failing|unhealthy|(?:now|returned)_(?:critical|warning))(?:_over)?$/;

/** Why the checks of the first one failed, where the incident's own text is about several and not about that. */
function LeadReason({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const { reason, reasonFact, monitorId, affected, fact } = incident;
  const lead = affected.find((one) => one.monitorId === monitorId);
  // Why a recovered one failed no longer matters while others are down.
  if (lead?.outageEndedAt && stillDown(incident).length > 0) return null;
  if (reason === null || !lead || ofOneAlone.test(fact?.code ?? "")) return null;
  const words = translateMessage(reason, reasonFact);
  return (
    <p className="mt-1 text-pretty wrap-anywhere">{t("reasonOf", { name: lead.name, reason: words })}</p>
  );
}

function Details({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { t, i18n } = useTranslation("incidents");
  const { startedAt, detectedAt, resolvedAt, severity, acknowledgedAt, acknowledgedByName, automatic } =
    incident;
  const now = useNow();
  const time = (at: string) => <Time at={at} />;
  const names = useJoinedNames()(incident);
  const by = acknowledgedAt !== null && {
    name: acknowledgedByName ?? t("someone"),
    when: formatMoment(acknowledgedAt, now, i18n.language),
  };
  const acknowledged = by
    ? names === null
      ? t("by", by)
      : t("joined.by", { ...by, names })
    : t("notAcknowledged");
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3 lg:grid-cols-6">
      <Item name={t("details.began")}>{time(startedAt)}</Item>
      <Item name={t(automatic ? "details.detected" : "details.reported")}>{time(detectedAt)}</Item>
      {resolvedAt && <Item name={t("details.resolved")}>{time(resolvedAt)}</Item>}
      <Item name={t("details.severity")}>{t(`severity.${severity}`)}</Item>
      {(resolvedAt === null || acknowledgedAt !== null) && (
        <Item name={t("details.acknowledged")}>
          <span className={names === null ? "" : "text-down-ink"}>{acknowledged}</span>
        </Item>
      )}
      <Item name={t("details.notified")}>
        <Notified id={incident.id} isOpen={resolvedAt === null} />
      </Item>
      <Item name={t("details.assignee")}>
        {canChange ? <Assignee incident={incident} /> : (incident.assigneeName ?? t("unassigned"))}
      </Item>
    </dl>
  );
}

/** How many channels were notified, and how many are to be and were not reached. */
function Notified({ id, isOpen }: Pick<Incident, "id"> & { isOpen: boolean }) {
  const { t } = useTranslation("incidents");
  const { data } = useQuery(incidentDeliveriesQuery(id));
  // Red wherever the overview warns of it.
  const unnotified = useQuery(dashboardStatsQuery).data?.incidents.unnotified ?? [];
  if (!data) return "…";
  const reached = data.channels.filter(({ sentAt }) => sentAt !== null).length;
  const failing = data.channels.filter(
    ({ sentAt, why }) => sentAt === null && (why === "failing" || why === "disabled"),
  ).length;
  const words = t(reached === 0 ? "notified.noChannel" : "notified.reached", { count: reached });
  const both = { reached: words, unreached: t("notified.unreached", { count: failing }) };
  const isWrong = isOpen && (failing > 0 || unnotified.some((one) => one.id === id));
  return (
    <a
      href="#notified"
      className={`rounded-sm underline underline-offset-4 ${isWrong ? "text-down-ink" : ""}`}
    >
      {failing > 0 ? t("notified.both", both) : words}
    </a>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Assignee({ incident }: { incident: Incident }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session && <AssigneeSelect incident={incident} session={session} />;
}

function AssigneeSelect({ incident, session }: { incident: Incident; session: Session }) {
  const { t } = useTranslation("incidents");
  const id = useId();
  const { mutate } = useIncidentAct();
  const members = useQuery(membersQuery(session.organization.id)).data ?? [];
  const people = members.map((one) => [String(one.id), one.name] as const);
  const { assigneeId, assigneeName } = incident;
  if (assigneeId !== null && !members.some((one) => one.id === assigneeId)) {
    people.push([String(assigneeId), assigneeName ?? t("someone")]);
  }
  return (
    <Select
      id={id}
      aria-label={t("details.assignee")}
      value={String(assigneeId ?? "")}
      options={[["", t("unassigned")], ...people]}
      onChange={(value) =>
        mutate(
          { act: "assign", id: incident.id, userId: value === "" ? null : Number(value) },
          { onError: (error) => showToast("error", sentencesOf(error).join(" ")) },
        )
      }
    />
  );
}
