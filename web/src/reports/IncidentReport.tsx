import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { SEVERITIES } from "../../../server/src/platform/monitor-defaults.ts";
import { type IncidentReport as Report, reportQuery } from "../api/reports.ts";
import { Section } from "../components/Card.tsx";
import { Loaded } from "../components/Loaded.tsx";
import type { Column } from "../components/Table.tsx";
import { formatCount, formatDateTime, formatDuration } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { ReportChart } from "./ReportChart.tsx";
import { useIsOwnReport } from "./ReportHead.tsx";
import { ReportStats, ReportWaiting, Rows } from "./ReportStats.tsx";

/** The incidents of a time. `query`: null as long as it is not said which. */
export function IncidentReport({ query }: { query: Record<string, string> | null }) {
  const { t } = useTranslation("reports");
  const reading = useQuery(reportQuery("incidents", query));
  if (query === null) return <Section title={t("time.choose")}>{null}</Section>;
  return (
    <Loaded of={reading} failed={t("failed")} loading={<ReportWaiting />}>
      {(report) => (
        <div className="grid gap-4">
          <IncidentTotals report={report} />
          <IncidentChart report={report} />
          <Affected report={report} />
          <Incidents report={report} />
        </div>
      )}
    </Loaded>
  );
}

function IncidentTotals({ report: { total, previous } }: { report: Report }) {
  const { t, i18n } = useTranslation("reports");
  const { language } = i18n;
  const count = (id: "incidents" | "open" | "acknowledged") => ({
    ...{ id, label: t(`incidents.${id}`) },
    value: formatCount(total[id], language),
    before: formatCount(previous[id], language),
  });
  const length = (seconds: number | null) =>
    seconds === null ? null : formatDuration(seconds * 1000, language);
  const duration = (id: "mttaSeconds" | "mttrSeconds" | "longestSeconds") => ({
    ...{ id, label: t(`incidents.${id}`) },
    value: length(total[id]),
    before: length(previous[id]),
  });
  return (
    <ReportStats
      label={t("about.incidents")}
      stats={[
        ...[count("incidents"), count("open"), count("acknowledged")],
        ...[duration("mttaSeconds"), duration("mttrSeconds"), duration("longestSeconds")],
      ]}
    />
  );
}

const colours = {
  low: "--color-ink-faint",
  medium: "--color-series",
  high: "--color-warn",
  critical: "--color-down",
} as const;

function IncidentChart({ report: { points, period } }: { report: Report }) {
  const { t, i18n } = useTranslation("reports");
  const shown = useMemo(
    () => ({
      times: points.map(({ timestamp }) => Date.parse(timestamp)),
      layers: SEVERITIES.map((severity) => ({
        label: t(`severity.${severity}`),
        colour: colours[severity],
        values: points.map(({ bySeverity }) => bySeverity[severity]),
      })),
    }),
    [points, t],
  );
  return (
    <ReportChart
      title={t("chart.incidents")}
      label={t("chart.incidentsText")}
      period={period}
      {...shown}
      formatValue={(value) => formatCount(value, i18n.language)}
    />
  );
}

function Affected({ report: { worst } }: { report: Report }) {
  const { t, i18n } = useTranslation("reports");
  if (worst.length === 0) return null;
  return (
    <Rows
      title={t("incidents.worst")}
      rows={worst}
      keyOf={({ monitorId, name }) => `${monitorId} ${name}`}
      columns={[
        {
          id: "name",
          head: t("columns.name"),
          cell: ({ name }) => name,
          names: true,
          className: "wrap-anywhere text-left font-medium",
        },
        {
          id: "count",
          head: t("incidents.incidents"),
          cell: ({ incidents }) => formatCount(incidents, i18n.language),
          align: "end",
        },
        {
          id: "time",
          head: t("incidents.duration"),
          cell: ({ durationSeconds }) => formatDuration(durationSeconds * 1000, i18n.language),
          align: "end",
        },
      ]}
    />
  );
}

type Item = Report["items"][number];

function Incidents({ report }: { report: Report }) {
  const { t, i18n } = useTranslation("reports");
  const { language } = i18n;
  const isOwn = useIsOwnReport(report);
  const { items } = report;
  const columns: Column<Item>[] = [
    {
      id: "title",
      head: t("incidents.title"),
      names: true,
      className: "text-left font-medium",
      cell({ id, title, titleFact }) {
        const shown = titleFact ? translateMessage(title, titleFact) : title;
        if (!isOwn) return <span className="block wrap-anywhere">{shown}</span>;
        return (
          <Link
            to="/incidents/$id"
            params={{ id: String(id) }}
            className="block wrap-anywhere hover:underline"
          >
            {shown}
          </Link>
        );
      },
    },
    {
      id: "severity",
      head: t("incidents.severity"),
      cell: ({ severity }) => t(`severity.${severity}`),
      wide: true,
    },
    {
      id: "began",
      head: t("outages.began"),
      cell: ({ startedAt }) => formatDateTime(startedAt, language),
      wide: true,
    },
    {
      id: "duration",
      head: t("incidents.duration"),
      cell: ({ durationSeconds }) => formatDuration(durationSeconds * 1000, language),
      align: "end",
    },
  ];
  if (items.length === 0) return <Section title={t("incidents.none")}>{null}</Section>;
  return <Rows title={t("about.incidents")} columns={columns} rows={items} keyOf={({ id }) => id} />;
}
