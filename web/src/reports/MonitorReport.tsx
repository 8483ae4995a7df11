import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type DeviceReport, type MonitorReport as Report, reportQuery } from "../api/reports.ts";
import { Section } from "../components/Card.tsx";
import { Loaded } from "../components/Loaded.tsx";
import {
  formatAxisTime,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPercentage,
  formatResponseTime,
} from "../i18n/format.ts";
import { useMonitorColumns } from "./monitor-columns.tsx";
import { ReportChart } from "./ReportChart.tsx";
import { useIsOwnReport } from "./ReportHead.tsx";
import { ReportStats, ReportWaiting, Rows, type ShownStat } from "./ReportStats.tsx";
import type { ReportSubject } from "./report-search.ts";

interface MonitorReportProps {
  about: Exclude<ReportSubject, "incidents">;
  /** Null as long as it is not said of when. */
  query: Record<string, string> | null;
}

export function MonitorReport({ about, query }: MonitorReportProps) {
  const { t } = useTranslation("reports");
  const reading = useQuery<Report | DeviceReport>(reportQuery(about, query) as never);
  if (query === null) return <Section title={t("time.choose")}>{null}</Section>;
  return (
    <Loaded of={reading} failed={t("failed")} loading={<ReportWaiting />}>
      {(report) =>
        report.monitors === 0 ? (
          <Section title={t(`nothing.${about}`)}>{null}</Section>
        ) : (
          <Shown about={about} report={report} />
        )
      }
    </Loaded>
  );
}

function Shown({ about, report }: { about: MonitorReportProps["about"]; report: Report | DeviceReport }) {
  const { t } = useTranslation("reports");
  const stats = useReportSections(report);
  const { columns, note } = useMonitorColumns(about, {
    isOwn: useIsOwnReport(report),
    hasBudgets: report.items.some((item) => "budget" in item && item.budget !== null),
  });
  return (
    <div className="grid gap-4">
      <ReportStats label={t(`about.${about}`)} stats={stats} />
      <div className={`grid gap-4 ${"usageKnown" in report ? "" : "lg:grid-cols-2"}`}>
        <DowntimeChart report={report} />
        {!("usageKnown" in report) && <ResponseChart report={report} />}
      </div>
      <Rows
        title={t(`about.${about}`)}
        columns={columns}
        rows={report.items}
        note={note}
        keyOf={({ id }) => id}
      />
      <Outages report={report} />
    </div>
  );
}

function Outages({ report }: { report: Report | DeviceReport }) {
  const { t, i18n } = useTranslation("reports");
  const { language } = i18n;
  if (report.outages.length === 0) return null;
  const at = (timestamp: string) => formatDateTime(timestamp, language);
  return (
    <Rows
      title={t("outages.title")}
      rows={report.outages}
      keyOf={({ monitorId, startedAt }) => `${monitorId} ${startedAt}`}
      note={({ startedAt }) => at(startedAt)}
      columns={[
        {
          id: "name",
          head: t("columns.name"),
          cell: ({ monitorName }) => monitorName,
          names: true,
          className: "wrap-anywhere font-medium",
        },
        { id: "from", head: t("outages.began"), cell: ({ startedAt }) => at(startedAt), wide: true },
        {
          id: "to",
          head: t("outages.ended"),
          cell: ({ endedAt }) => (endedAt ? at(endedAt) : t("outages.open")),
          wide: true,
        },
        {
          id: "time",
          head: t("columns.down"),
          cell: ({ durationSeconds }) => formatDuration(durationSeconds * 1000, language),
          align: "end",
        },
      ]}
    />
  );
}

type Total = DeviceReport["total"] & Partial<Report["total"]>;

/** What all monitors of a report come to, beside the time before. */
function useReportSections({ total, previous }: { total: Total; previous: Total }): ShownStat[] {
  const { t, i18n } = useTranslation("reports");
  const { language } = i18n;
  const written = (value: number | null | undefined, write: (value: number, language: string) => string) =>
    value == null ? null : write(value, language);
  const length = (seconds: number) => (seconds === 0 ? "0" : formatDuration(seconds * 1000, language));
  const shown = (id: keyof Total, label: string, write: (value: number, language: string) => string) => ({
    ...{ id, label },
    value: written(total[id], write),
    before: written(previous[id], write),
  });
  const stats = [
    shown("uptimePercentage", t("columns.uptime"), formatPercentage),
    shown("downSeconds", t("columns.down"), length),
    shown("outages", t("columns.outages"), formatCount),
    shown("mttrSeconds", t("columns.mttr"), length),
    shown("mtbfSeconds", t("columns.mtbf"), length),
    shown("longestOutageSeconds", t("columns.longest"), length),
  ];
  if (total.totalChecks === undefined) return stats;
  return [
    ...stats,
    shown("avgResponseTime", t("columns.mean"), formatResponseTime),
    shown("responseTimeP50", t("columns.p50"), formatResponseTime),
    shown("responseTimeP95", t("columns.p95"), formatResponseTime),
    shown("responseTimeP99", t("columns.p99"), formatResponseTime),
    shown("totalChecks", t("columns.checks"), formatCount),
    shown("failedChecks", t("columns.failed"), formatCount),
  ];
}

const minuteMs = 60_000;

const timesOf = (points: readonly { timestamp: string }[]) =>
  points.map(({ timestamp }) => Date.parse(timestamp));

/** How long all of them together were down, point by point. */
function DowntimeChart({ report }: { report: Report | DeviceReport }) {
  const { t, i18n } = useTranslation("reports");
  const { points, period } = report;
  const shown = useMemo(
    () => ({
      times: timesOf(points),
      layers: [
        {
          label: t("chart.minutes"),
          colour: "--color-down",
          values: points.map(({ uptimePercentage, downSeconds }) =>
            uptimePercentage === null ? null : downSeconds / 60,
          ),
        },
      ],
    }),
    [points, t],
  );
  return (
    <ReportChart
      title={t("chart.downtime")}
      label={t("chart.downtimeText")}
      period={period}
      {...shown}
      formatValue={(minutes) => (minutes === 0 ? "0" : formatDuration(minutes * minuteMs, i18n.language))}
      formatAxis={(minutes) => formatCount(Math.round(minutes * 10) / 10, i18n.language)}
    />
  );
}

/** Response times of all checks, point by point. */
function ResponseChart({ report }: { report: Report }) {
  const { t, i18n } = useTranslation("reports");
  const { points, period } = report;
  const shown = useMemo(
    () => ({
      times: timesOf(points),
      lines: [
        {
          label: t("columns.p50"),
          colour: "--color-series",
          values: points.map((point) => point.responseTimeP50),
        },
        {
          ...{ label: t("columns.p95"), colour: "--color-warn", dashed: true },
          values: points.map((point) => point.responseTimeP95),
        },
      ],
    }),
    [points, t],
  );
  return (
    <ReportChart
      title={t("chart.response")}
      label={t("chart.responseText")}
      period={period}
      {...shown}
      formatValue={(ms) => formatResponseTime(ms, i18n.language)}
      formatAxis={(ms) => formatAxisTime(ms, i18n.language)}
    />
  );
}
