import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type DeviceReport, type MonitorReport as Report, reportQuery } from "../api/reports.ts";
import { Loaded } from "../components/Loaded.tsx";
import { Section } from "../components/Section.tsx";
import { formatDateTime, formatDuration } from "../i18n/format.ts";
import { DowntimeChart, ResponseChart } from "./monitor-charts.tsx";
import { useMonitorColumns } from "./monitor-columns.tsx";
import { useMonitorFigures } from "./monitor-figures.ts";
import { ReportFigures } from "./ReportFigures.tsx";
import { ReportWaiting } from "./ReportWaiting.tsx";
import { Rows } from "./Rows.tsx";
import type { ReportSubject } from "./report-search.ts";
import { useIsOwnReport } from "./use-is-own-report.ts";

interface MonitorReportProps {
  about: Exclude<ReportSubject, "incidents">;
  /** Null as long as it is not said of when. */
  query: Record<string, string> | null;
}

/** What domains, services or devices did. */
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
  const figures = useMonitorFigures(report);
  const { columns, note } = useMonitorColumns(about, {
    isOwn: useIsOwnReport(report),
    hasBudgets: report.items.some((item) => "budget" in item && item.budget !== null),
  });
  return (
    <div className="grid gap-4">
      <ReportFigures label={t(`about.${about}`)} figures={figures} />
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
