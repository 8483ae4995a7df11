import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type OrganizationUsage, usageQuery } from "../../api/organization.ts";
import type { Session } from "../../api/session.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { formatCount, formatDays, formatInterval } from "../../i18n/format.ts";
import { UsageBar } from "./UsageBar.tsx";

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
      aside={
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
        <Fact name={t("plan.interval")}>{formatInterval(usage.minCheckInterval, language)}</Fact>
        <Fact name={t("plan.locations")}>{locations === null ? t("plan.all") : count(locations)}</Fact>
        <Fact name={t("plan.results")}>{formatDays(usage.rawResultDays * dayMs, language)}</Fact>
        <Fact name={t("plan.requests")}>
          {t("plan.requestsOfEach", { read: count(requests.read), write: count(requests.write) })}
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 justify-between gap-4 py-1.5">
      <dt className="text-ink-muted">{name}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  );
}
