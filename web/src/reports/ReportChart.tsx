import { ChartLine, Table as TableIcon } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { Section } from "../components/Card.tsx";
import type { ChartSeries } from "../components/chart-data.ts";
import { type Column, Table, TableFrame } from "../components/Table.tsx";
import { TimeChart } from "../components/TimeChart.tsx";
import { formatDateTime, formatTick } from "../i18n/format.ts";
import { type Zoomed, zoomIn } from "./report-zoom.ts";

interface ReportChartProps {
  title: string;
  /** What it shows, in a sentence. */
  label: string;
  times: readonly number[];
  period: { from: string; to: string };
  /** Filled, the first at the bottom. */
  layers?: readonly ChartSeries[];
  lines?: readonly ChartSeries[];
  formatValue: (value: number) => string;
  /** As on the axis, where that needs to be shorter. */
  formatAxis?: (value: number) => string;
}

const none: readonly ChartSeries[] = [];

/** A figure is that of a whole step, so that a single one can be seen as well. */
const stepTimes = (times: readonly number[], end: number): number[] =>
  times.flatMap((time, at) => [time, Math.max(time + 1, (times[at + 1] ?? end) - 1)]);

const asSteps = (series: ChartSeries): ChartSeries => ({
  ...series,
  values: series.values.flatMap((value) => [value, value]),
});

export function ReportChart(props: ReportChartProps) {
  const { title, label, times, period, layers = none, lines = none, formatValue, formatAxis } = props;
  const { t, i18n } = useTranslation("reports");
  const [asTable, setAsTable] = useState(false);
  const [zoomed, setZoomed] = useState<Zoomed | null>(null);
  const [point, setPoint] = useState<number | null>(null);
  const { from, to } = period;
  const length = Date.parse(to) - Date.parse(from);
  const data = useMemo(() => {
    const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
    const steps = {
      times: stepTimes(times, span.toMs),
      layers: layers.map(asSteps),
      lines: lines.map(asSteps),
    };
    return { ...steps, failures: [], outages: [], gaps: [], restarts: [], ...span };
  }, [times, layers, lines, from, to]);
  const Icon = asTable ? ChartLine : TableIcon;
  const series = [...layers, ...lines];
  return (
    <Section
      title={title}
      trailing={
        <IconButton
          label={t(asTable ? "chart.showChart" : "chart.showTable")}
          onClick={() => setAsTable(!asTable)}
        >
          <Icon aria-hidden className="size-4" />
        </IconButton>
      }
    >
      <div className="h-72 px-4 pb-3">
        {asTable ? (
          <SeriesTable title={title} times={times} series={series} formatValue={formatValue} />
        ) : (
          <>
            <Legend
              series={series}
              at={point}
              time={point === null ? undefined : times[point]}
              write={formatValue}
            />
            <TimeChart
              label={label}
              data={data}
              zoom={zoomIn(zoomed, data)}
              onZoom={(zoom) => setZoomed(zoom && { zoom, length })}
              formatValue={formatAxis ?? formatValue}
              formatTick={(timeMs, stepMs) => formatTick(timeMs, stepMs, i18n.language)}
              cursorName="report"
              onPoint={(at) => setPoint(at === null ? null : Math.floor(at / 2))}
            />
          </>
        )}
      </div>
    </Section>
  );
}

interface LegendProps {
  series: readonly ChartSeries[];
  at: number | null;
  time: number | undefined;
  write: (value: number) => string;
}

/** The legend, with the values under the pointer. */
function Legend({ series, at, time, write }: LegendProps) {
  const { i18n } = useTranslation();
  return (
    <div className="flex h-8 items-center gap-4 overflow-hidden text-xs whitespace-nowrap text-ink-muted tabular-nums">
      {series.map(({ label, colour, values }) => {
        const value = at === null ? null : (values[at] ?? null);
        return (
          <span key={label} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full" style={{ background: `var(${colour})` }} />
            {label}
            {value !== null && <b className="font-medium text-ink">{write(value)}</b>}
          </span>
        );
      })}
      {time !== undefined && <span>{formatDateTime(new Date(time).toISOString(), i18n.language)}</span>}
    </div>
  );
}

interface SeriesTableProps {
  title: string;
  times: readonly number[];
  series: readonly ChartSeries[];
  formatValue: (value: number) => string;
}

function SeriesTable({ title, times, series, formatValue }: SeriesTableProps) {
  const { t, i18n } = useTranslation("reports");
  const columns: Column<number>[] = [
    {
      id: "time",
      head: t("chart.time"),
      cell: (at) => formatDateTime(new Date(times[at] as number).toISOString(), i18n.language),
      names: true,
      className: "font-normal text-ink-muted tabular-nums",
    },
    ...series.map(
      ({ label, values }): Column<number> => ({
        id: label,
        head: label,
        cell: (at) => (values[at] == null ? "–" : formatValue(values[at])),
        align: "end",
      }),
    ),
  ];
  return (
    <TableFrame label={title} className="h-full">
      <Table columns={columns} rows={times.map((_, at) => at).toReversed()} keyOf={(at) => at} />
    </TableFrame>
  );
}
