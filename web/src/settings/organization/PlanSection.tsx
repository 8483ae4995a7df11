import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { type OrganizationUsage, usageQuery } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { formatCount, formatDays, formatInterval } from "../../i18n/format.ts";

const dayMs = 86_400_000;
/** Plan names are the same in every language. */
const planNames: Record<string, string> = { free: "Free", pro: "Pro", expert: "Expert" };

/** What the plan allows, and how much of it is used. */
export function PlanSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const query = useQuery(usageQuery(session.organization.id));
  const { plan, reports } = session.organization;
  const name = planNames[plan] ?? plan;
  return (
    <Section
      title={t("plan.title")}
      trailing={
        <span className="text-sm font-medium">{reports ? t("plan.withReports", { plan: name }) : name}</span>
      }
    >
      <div className="px-4 pb-4">
        <Loaded of={query} failed={t("plan.failed")} loading={<Skeleton className="my-3 h-20 w-full" />}>
          {(usage) => <Plan usage={usage} />}
        </Loaded>
      </div>
    </Section>
  );
}

function Plan({ usage }: { usage: OrganizationUsage }) {
  const { t, i18n } = useTranslation("settings/organization");
  const { language } = i18n;
  const count = (number: number) => formatCount(number, language);
  const { locationsPerMonitor: locations, requestsPerMinute: requests } = usage;
  const ofEach = t("plan.monitorsOfEach", { domains: count(usage.domains), services: count(usage.services) });
  return (
    <>
      <ul className="grid gap-x-8 gap-y-4 pt-1 sm:grid-cols-2">
        <UsageBar label={t("plan.monitors")} quota={usage.monitors} note={ofEach} />
        <UsageBar label={t("plan.members")} quota={usage.members} />
        <UsageBar label={t("plan.apiKeys")} quota={usage.apiKeys} />
        <UsageBar label={t("plan.invitations")} quota={usage.invitations} />
      </ul>
      <dl className="mt-5 grid gap-x-8 border-t border-line pt-2 text-sm sm:grid-cols-2">
        <Limit name={t("plan.interval")}>{formatInterval(usage.minCheckInterval, language)}</Limit>
        <Limit name={t("plan.locations")}>{locations === null ? t("plan.all") : count(locations)}</Limit>
        <Limit name={t("plan.results")}>{formatDays(usage.rawResultDays * dayMs, language)}</Limit>
        <Limit name={t("plan.requests")}>
          {t("plan.requestsOfEach", { read: count(requests.read), write: count(requests.write) })}
        </Limit>
      </dl>
    </>
  );
}

function Limit({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 justify-between gap-4 py-1.5">
      <dt className="text-ink-muted">{name}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  );
}

interface UsageBarProps {
  label: string;
  /** `limit` null: any number. */
  quota: { used: number; limit: number | null };
  /** What it is made of. */
  note?: string;
}

/** From this share on it is worth a look. */
const nearlyFull = 0.8;

/** How many there are of how many there may be; a bar where there is an end to it. */
function UsageBar({ label, quota: { used, limit }, note }: UsageBarProps) {
  const { t, i18n } = useTranslation("settings/organization");
  const id = useId();
  const count = formatCount(used, i18n.language);
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? "bg-down" : share >= nearlyFull ? "bg-warn" : "bg-series";
  const words =
    limit === null ? count : t("plan.of", { used: count, limit: formatCount(limit, i18n.language) });
  return (
    <li className="min-w-0 text-sm">
      <div className="flex justify-between gap-4">
        <span id={id}>{label}</span>
        <span className="tabular-nums">
          {words}
          {limit === null && <span className="text-ink-faint"> · {t("plan.unlimited")}</span>}
        </span>
      </div>
      {limit !== null && (
        <div
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={words}
          className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line"
        >
          <div className={`h-full rounded-full ${tone}`} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      {note && <p className="mt-1 text-xs text-ink-faint">{note}</p>}
    </li>
  );
}
