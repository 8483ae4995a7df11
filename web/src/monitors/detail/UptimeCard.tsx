import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Day, daysQuery, daysShown, type MonitorSummary, summaryQuery } from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Card } from "../../components/Card.tsx";
import { together } from "../../components/chart-data.ts";
import { DayBars } from "../../components/DayBars.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { formatCount, formatDuration, formatPercentage, formatResponseTime } from "../../i18n/format.ts";
import { useKind, useMonitorTexts } from "../descriptor.ts";

const daySeconds = 86_400;
const spans = [
  ["24h", daySeconds],
  ["7d", 7 * daySeconds],
  ["30d", 30 * daySeconds],
] as const;
/** Of a span that is known this far it is not said how much is. */
const nearlyAll = 0.99;

const noDays = Array.from({ length: daysShown }, () => null);

interface UptimeCardProps {
  id: number;
  /** As far as it is known. */
  monitor: Monitor | undefined;
  /** Whether it is checked over the network, and so has a response time. */
  isProbed: boolean;
}

export function UptimeCard({ id, monitor, isProbed }: UptimeCardProps) {
  const { t } = useTranslation("monitors");
  const kind = useKind();
  const reading = together({
    summary: useQuery(summaryQuery(kind, id)),
    days: useQuery(daysQuery(kind, id)),
  });
  return (
    <Card className="min-w-0">
      <section aria-label={t("stats.title")}>
        <Loaded
          of={reading}
          failed={t("stats.failed")}
          loading={<Stats {...{ monitor, isProbed }} days={noDays} />}
        >
          {({ summary, days }) => <Stats {...{ monitor, isProbed }} stats={summary.stats} days={days} />}
        </Loaded>
      </section>
    </Card>
  );
}

interface StatsProps extends Omit<UptimeCardProps, "id"> {
  /** Undefined while they are on their way. */
  stats?: MonitorSummary["stats"];
  days: readonly (Day | null)[];
}

function Stats({ monitor, isProbed, stats, days }: StatsProps) {
  const { i18n } = useTranslation("monitors");
  const t = useMonitorTexts(monitor);
  const checks = checksOf(days);
  const isTimed = isProbed || stats?.avgResponseTime != null;
  const write = (format: (value: number, language: string) => string, value: number | null | undefined) => {
    if (value === undefined) return <Skeleton className="h-4 w-20" />;
    return value === null ? "–" : format(value, i18n.language);
  };
  const knownOf = (seconds: number | undefined, lengthSeconds: number) =>
    seconds === undefined || seconds === 0 || seconds >= nearlyAll * lengthSeconds
      ? null
      : t("stats.known", { duration: formatDuration(seconds * 1000, i18n.language) });
  return (
    <>
      <dl className={`grid grid-cols-2 gap-px ${isTimed ? "md:grid-cols-4" : "md:grid-cols-3"}`}>
        {spans.map(([span, lengthSeconds]) => (
          <Stat
            key={span}
            label={t(`stats.uptime${span}`)}
            value={write(formatPercentage, stats?.[`uptime${span}`])}
            known={knownOf(stats?.[`knownSeconds${span}`], lengthSeconds)}
          />
        ))}
        {isTimed && (
          <Stat label={t("stats.response")} value={write(formatResponseTime, stats?.avgResponseTime)} />
        )}
      </dl>
      <DayBars days={days}>
        {stats &&
          (checks.total === 0
            ? t("stats.noChecks")
            : t("stats.failedChecks", {
                count: checks.total,
                failed: formatCount(checks.failed, i18n.language),
                total: formatCount(checks.total, i18n.language),
              }))}
      </DayBars>
    </>
  );
}

/** The checks of the days that are shown. */
export function checksOf(days: readonly (Pick<Day, "totalChecks" | "failedChecks"> | null)[]) {
  const sums = { total: 0, failed: 0 };
  for (const day of days) {
    sums.total += day?.totalChecks ?? 0;
    sums.failed += day?.failedChecks ?? 0;
  }
  return sums;
}

/** `known`: how much of its span the figure is of; null where that is all of it. */
function Stat({ label, value, known = null }: { label: string; value: ReactNode; known?: string | null }) {
  return (
    <div className="min-w-0 pt-3.5 pr-1 pl-4">
      <dt title={label} className="truncate text-xs text-ink-faint">
        {label}
      </dt>
      <dd className="mt-0.5 flex h-7 items-center gap-x-2 text-xl font-semibold tracking-tight tabular-nums max-sm:h-11 max-sm:flex-col max-sm:items-start">
        {value}
        {known !== null && (
          <span className="max-w-full truncate text-xs font-normal tracking-normal text-ink-muted">
            {known}
          </span>
        )}
      </dd>
    </div>
  );
}
