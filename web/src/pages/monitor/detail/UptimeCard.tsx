import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { daysQuery, daysShown, summaryQuery } from "../../../api/monitor.ts";
import { Card } from "../../../components/Card.tsx";
import { DayBars } from "../../../components/DayBars.tsx";
import { Skeleton } from "../../../components/Skeleton.tsx";
import { formatCount, formatPercentage, formatResponseTime } from "../../../format.ts";
import { useKind } from "../../../kinds/use-kind.ts";

const noDays = Array.from({ length: daysShown }, () => null);

/** Uptime over three ranges, the mean response, and the last 90 days. */
export function UptimeCard({ id }: { id: number }) {
  const { t, i18n } = useTranslation("monitor");
  const kind = useKind();
  const { data, error } = useQuery(summaryQuery(kind, id));
  const { data: days } = useQuery(daysQuery(kind, id));
  const stats = data?.stats;
  const uptime = (value: number | null | undefined) =>
    value == null ? undefined : formatPercentage(value, i18n.language);
  const response =
    stats?.avgResponseTime == null ? undefined : formatResponseTime(stats.avgResponseTime, i18n.language);
  const loading = !data && !error;
  return (
    <Card className="min-w-0">
      <section aria-label={t("figures.title")}>
        <dl className="grid grid-cols-2 gap-px md:grid-cols-4">
          <Figure label={t("figures.uptime24h")} value={uptime(stats?.uptime24h)} loading={loading} />
          <Figure label={t("figures.uptime7d")} value={uptime(stats?.uptime7d)} loading={loading} />
          <Figure label={t("figures.uptime30d")} value={uptime(stats?.uptime30d)} loading={loading} />
          <Figure label={t("figures.response")} value={response} loading={loading} />
        </dl>
        <DayBars days={days ?? noDays}>
          {stats &&
            (stats.totalChecks === 0
              ? t("figures.noChecks")
              : t("figures.failed", {
                  count: stats.totalChecks,
                  failed: formatCount(stats.failedChecks, i18n.language),
                  total: formatCount(stats.totalChecks, i18n.language),
                }))}
        </DayBars>
      </section>
    </Card>
  );
}

function Figure({ label, value, loading }: { label: string; value?: ReactNode; loading: boolean }) {
  return (
    <div className="min-w-0 pt-3.5 pr-1 pl-4">
      <dt className="truncate text-xs text-ink-faint">{label}</dt>
      <dd className="mt-0.5 flex h-7 items-center text-xl font-semibold tracking-tight tabular-nums">
        {loading ? <Skeleton className="h-4 w-20" /> : (value ?? "–")}
      </dd>
    </div>
  );
}
