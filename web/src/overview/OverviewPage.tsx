import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dashboardStatsQuery } from "../api/dashboard-stats.ts";
import { activityQuery, activityRead, certificatesQuery, unknownQuery } from "../api/overview.ts";
import { useMayWrite } from "../api/roles.ts";
import { Callout } from "../components/Callout.tsx";
import { Section } from "../components/Card.tsx";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { StatusDot, statusInk } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import {
  formatAgo,
  formatCount,
  formatDuration,
  formatPercentage,
  formatResponseTime,
  hasJustBegun,
} from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { monitorKinds } from "../kinds.ts";
import { KindProvider, useKind, useMonitorTexts } from "../monitors/descriptor.ts";
import { AddDomainForm } from "../monitors/domain/AddDomainForm.tsx";
import { type Filter, shownStatus } from "../monitors/monitor-view.ts";
import { NothingWatched } from "../monitors/NothingWatched.tsx";
import { CertificateText } from "../monitors/StatusText.tsx";
import { ActivityCard } from "./ActivityCard.tsx";
import { lastProblem } from "./activity-words.ts";
import { mergePages, type Since, sinceOf, toneOf } from "./condition.ts";
import type english from "./en.json";
import { FirstStepsCard } from "./FirstStepsCard.tsx";
import { InvitationsCard } from "./InvitationsCard.tsx";
import { CertificatesSkeleton, OverviewSkeleton } from "./OverviewSkeleton.tsx";
import { ProblemsCard } from "./ProblemsCard.tsx";
import { type KindCondition, type Overview, useOverview } from "./use-overview.ts";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    overview: typeof english;
  }
}

export function OverviewPage() {
  const { t } = useTranslation("overview");
  const reading = useOverview();
  const [wasEmpty, setWasEmpty] = useState(false);
  const counts = reading.data?.counts;
  const down = counts?.down ?? 0;
  usePageTitle(down > 0 ? t("pageTitleDown", { count: down }) : t("pageTitle"));
  if (counts?.all === 0 && !wasEmpty) setWasEmpty(true);
  return (
    <>
      <PageBar title={t("pageTitle")} />
      <Loaded
        of={reading}
        failed={t("failed")}
        loading={<OverviewSkeleton />}
        isEmpty={(overview) => overview.counts.all === 0}
        empty={<Empty />}
      >
        {(overview) => <Watched overview={overview} adding={wasEmpty} />}
      </Loaded>
    </>
  );
}

function Empty() {
  const { t } = useTranslation("overview");
  const mayAdd = useMayWrite();
  return (
    <KindProvider value={monitorKinds.domain}>
      <div className="mb-4 grid gap-4 empty:hidden">
        <InvitationsCard />
      </div>
      <NothingWatched title={t("pageTitle")} add={mayAdd && <AddDomainForm autoFocus />} />
    </KindProvider>
  );
}

/** `adding`: the first domain has just been typed in; the next one can follow at once. */
function Watched({ overview, adding }: { overview: Overview; adding: boolean }) {
  const { counts, kinds, acknowledged } = overview;
  const mayAdd = useMayWrite();
  return (
    <>
      <div className="mb-5 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Headline counts={counts} kinds={kinds} />
        {mayAdd && (
          <div className={adding ? "" : "max-md:hidden"}>
            <AddDomainForm autoFocus={adding} />
          </div>
        )}
      </div>
      <UnnotifiedCallout />
      <div className="grid gap-4">
        {kinds.map((one) => (
          <KindProvider key={one.kind.id} value={one.kind}>
            <StatusCounts counts={one.counts} />
          </KindProvider>
        ))}
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <ProblemsCard state="down" kinds={kinds} acknowledged={acknowledged} />
          <InvitationsCard />
          <ProblemsCard state="degraded" kinds={kinds} acknowledged={acknowledged} />
          <ActivityCard />
        </div>
        <div className="grid min-w-0 gap-4 sm:max-lg:grid-cols-2">
          <StatsCard uptime={overview.uptime} responseTime={overview.responseTime} />
          <CertificatesCard />
          <FirstStepsCard />
        </div>
      </div>
    </>
  );
}

/** Uptime (0…100) and mean response (milliseconds) of all domains together over the last 24 hours. */
function StatsCard({ uptime, responseTime }: { uptime: number | null; responseTime: number | null }) {
  const { t, i18n } = useTranslation("overview");
  const stats = [
    [t("stats.uptime"), uptime === null ? null : formatPercentage(uptime, i18n.language)],
    [t("stats.response"), responseTime === null ? null : formatResponseTime(responseTime, i18n.language)],
  ];
  return (
    <Section title={t("stats.title")}>
      <dl className="grid grid-cols-2 px-4 pt-1 pb-4">
        {stats.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="truncate text-xs text-ink-faint">{label}</dt>
            <dd className="mt-0.5 text-xl font-semibold tracking-tight tabular-nums">{value ?? "–"}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const incidentsShown = 3;

/** Warns that something has been down for minutes and no one was notified. */
function UnnotifiedCallout() {
  const { t } = useTranslation("overview");
  const { data } = useQuery(dashboardStatsQuery);
  const incidents = data?.incidents.unnotified ?? [];
  if (incidents.length === 0) return null;
  const more = incidents.length - incidentsShown;
  return (
    <div className="mb-4" data-unnotified>
      <Callout tone="error">
        <p className="font-medium">{t("unnotified.text", { count: incidents.length })}</p>
        <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
          {incidents.slice(0, incidentsShown).map(({ id, title, titleFact }) => (
            <li key={id} className="min-w-0 wrap-anywhere">
              <Link
                to="/incidents/$id"
                params={{ id: String(id) }}
                hash="notified"
                className="line-clamp-3 rounded-sm underline underline-offset-4"
              >
                {translateMessage(title, titleFact)}
              </Link>
            </li>
          ))}
          {more > 0 && (
            <li>
              <Link to="/incidents" className="rounded-sm underline underline-offset-4">
                {t("unnotified.more", { count: more })}
              </Link>
            </li>
          )}
        </ul>
        <p className="mt-1">{t("unnotified.why")}</p>
      </Callout>
    </div>
  );
}

/** Which certificates end next; those that end soon, or have ended, in colour. */
function CertificatesCard() {
  const { t } = useTranslation("overview");
  const query = useQuery(certificatesQuery);
  const domains = query.data?.monitors.filter((domain) => domain.certificateStatus !== "none");
  return (
    <Section title={t("certificates.title")}>
      <Loaded
        of={{ ...query, data: domains }}
        failed={t("certificates.failed")}
        loading={<CertificatesSkeleton />}
        empty={<p className="px-4 pt-1 pb-4 text-sm text-pretty text-ink-faint">{t("certificates.empty")}</p>}
      >
        {(shown) => (
          <ul className="px-4 pb-2.5 text-sm">
            {shown.map((domain) => (
              <li
                key={domain.id}
                data-certificate={domain.certificateStatus}
                className="flex items-baseline justify-between gap-4 py-1.5"
              >
                <Link
                  to="/domains/$id"
                  params={{ id: String(domain.id) }}
                  className="min-w-0 truncate rounded-sm underline-offset-4 hover:underline"
                >
                  {domain.name}
                </Link>
                <span className="shrink-0">
                  <CertificateText monitor={domain} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const cells = ["all", "up", "degraded", "down", "unknown", "paused"] as const satisfies Filter[];

/** How many monitors of the kind that is provided are in which state; each number leads to those. */
function StatusCounts({ counts }: Pick<KindCondition, "counts">) {
  const { t, i18n } = useTranslation("overview");
  const kind = useKind();
  const m = useMonitorTexts(undefined);
  return (
    <ul
      aria-label={t(`counts.label.${kind.id}`)}
      className="grid grid-cols-3 gap-px overflow-clip rounded-lg border border-line bg-line shadow-card sm:grid-cols-6"
    >
      {cells.map((cell) => (
        <li key={cell} className="bg-surface">
          <Link
            to={kind.pages.list}
            search={cell === "all" ? {} : { show: cell }}
            data-count={cell}
            className="block px-3 py-2.5 sm:px-4 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="block truncate text-xs text-ink-muted">
              {cell === "all" ? t(`counts.all.${kind.id}`) : m(`filter.${cell}`)}
            </span>{" "}
            <span
              className={`mt-0.5 flex items-center gap-2 text-xl font-semibold tracking-tight tabular-nums ${inkOf(cell, counts[cell])}`}
            >
              {cell !== "all" && <StatusDot status={cell} plain />}
              {formatCount(counts[cell], i18n.language)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Colour for what is wrong only; a nought draws no eye. */
function inkOf(cell: Filter, count: number): string {
  if (count === 0) return "text-ink-faint";
  return cell === "down" || cell === "degraded" ? statusInk[cell] : "text-ink";
}

/** One sentence that says how everything is, and one that says since when. */
function Headline({ counts, kinds }: { counts: Record<Filter, number>; kinds: readonly KindCondition[] }) {
  const { t } = useTranslation("overview");
  const tone = toneOf(counts);
  const concerned = kinds.filter((one) => one.counts[tone] > 0);
  const together = concerned.some(({ kind }) => kind.id === "device") ? "mixed" : "any";
  const who = concerned.length === 1 && concerned[0] ? concerned[0].kind.id : together;
  const since = (state: "down" | "degraded") => sinceOf(mergePages(kinds.map((one) => one[state])));
  const checking = useFirstCheck(tone === "unknown" ? kinds : []);
  const ink = tone === "up" || tone === "paused" ? "text-ink" : statusInk[tone];
  return (
    <div data-tone={tone}>
      <h1 className={`flex items-center gap-2.5 text-xl font-semibold ${ink}`}>
        <StatusDot status={tone} className="size-2.5" />
        {checking === "pending" && <Skeleton className="h-5 w-64" />}
        {typeof checking === "object" && t("headline.checking", checking)}
        {checking === undefined &&
          (tone === "up" || tone === "paused"
            ? t(`headline.${tone}`)
            : t(`headline.${who}.${tone}`, { count: counts[tone] }))}
      </h1>
      <div className={`pl-5 text-ink-muted ${tone === "up" ? "max-sm:min-h-11" : ""}`}>
        {tone === "down" && <ProblemLine state="down" since={since("down")} />}
        {tone === "degraded" && <ProblemLine state="degraded" since={since("degraded")} />}
        {tone === "unknown" && (
          <p>{checking ? t("checkingText") : t("unknownText", { count: counts.unknown })}</p>
        )}
        {tone === "up" && <LastProblemLine />}
        {tone === "paused" && <p>{t("pausedText")}</p>}
      </div>
    </div>
  );
}

/**
 * `dialog` until it is known whether there is one, undefined where there is none, or more. Live events bring
 * a status a moment before the counts.
 */
function useFirstCheck(kinds: readonly KindCondition[]): { name: string } | "pending" | undefined {
  const unknown = kinds.filter(({ counts }) => counts.unknown > 0);
  const isOne = unknown.length === 1 && unknown[0]?.kind.id === "domain" && unknown[0].counts.unknown === 1;
  const { data, isPending } = useQuery({ ...unknownQuery, enabled: isOne });
  if (!isOne) return undefined;
  const [domain] = data?.monitors ?? [];
  // A list without it was read before the domain was made, or after its first result: the counts follow.
  if (isPending || (data && !domain)) return "pending";
  return domain && shownStatus(domain) !== "unknown" ? { name: domain.name } : undefined;
}

function ProblemLine({ state, since }: { state: "down" | "degraded"; since: Since | null }) {
  const { t, i18n } = useTranslation("overview");
  const now = useNow();
  if (!since) return null;
  const lasted = now - since.at;
  if (hasJustBegun(lasted)) return <p>{t(`since.${state}.${since.which}Now`)}</p>;
  return <p>{t(`since.${state}.${since.which}`, { duration: formatDuration(lasted, i18n.language) })}</p>;
}

/** What was wrong last, and for how long all has been well since. */
function LastProblemLine() {
  const { t, i18n } = useTranslation("overview");
  const now = useNow();
  const { data: items, error } = useQuery(activityQuery);
  if (!items) return error ? null : <Skeleton className="mt-1.5 h-3 w-64" />;
  const problem = lastProblem(items);
  if (!problem) return <p>{t(items.length < activityRead ? "noProblems" : "noRecentProblems")}</p>;
  const { name, was, beganAt, endedAt } = problem;
  const ago = formatAgo(now - endedAt, i18n.language);
  if (beganAt === null) return <p>{t(`last.${was}`, { name, ago })}</p>;
  const duration = formatDuration(endedAt - beganAt, i18n.language);
  return <p>{t(`last.${was}For`, { name, ago, duration })}</p>;
}
