import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DeviceReport, MonitorReport } from "../api/reports.ts";
import { formatAxisTime, formatCount, formatDuration, formatResponseTime } from "../i18n/format.ts";
import { ReportChart } from "./ReportChart.tsx";

const minuteMs = 60_000;

const timesOf = (points: readonly { timestamp: string }[]) =>
  points.map(({ timestamp }) => Date.parse(timestamp));

/** How long all of them together were down, point by point. */
export function DowntimeChart({ report }: { report: MonitorReport | DeviceReport }) {
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
export function ResponseChart({ report }: { report: MonitorReport }) {
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
