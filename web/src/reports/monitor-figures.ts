import { useTranslation } from "react-i18next";
import type { DeviceReport, MonitorReport } from "../api/reports.ts";
import { formatCount, formatDuration, formatPercentage, formatResponseTime } from "../i18n/format.ts";
import type { ShownFigure } from "./ReportFigures.tsx";

type Total = DeviceReport["total"] & Partial<MonitorReport["total"]>;

/** What all monitors of a report come to, beside the time before. */
export function useMonitorFigures({ total, previous }: { total: Total; previous: Total }): ShownFigure[] {
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
  const figures = [
    shown("uptimePercentage", t("columns.uptime"), formatPercentage),
    shown("downSeconds", t("columns.down"), length),
    shown("outages", t("columns.outages"), formatCount),
    shown("mttrSeconds", t("columns.mttr"), length),
    shown("mtbfSeconds", t("columns.mtbf"), length),
    shown("longestOutageSeconds", t("columns.longest"), length),
  ];
  if (total.totalChecks === undefined) return figures;
  return [
    ...figures,
    shown("avgResponseTime", t("columns.mean"), formatResponseTime),
    shown("responseTimeP50", t("columns.p50"), formatResponseTime),
    shown("responseTimeP95", t("columns.p95"), formatResponseTime),
    shown("responseTimeP99", t("columns.p99"), formatResponseTime),
    shown("totalChecks", t("columns.checks"), formatCount),
    shown("failedChecks", t("columns.failed"), formatCount),
  ];
}
