import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Deployment, monitorDeploymentsQuery } from "../../api/deployments.ts";
import { type Charted, type Series, seriesQuery } from "../../api/device-metrics.ts";
import type { DeviceDetail } from "../../api/devices.ts";
import { statusHistoryQuery } from "../../api/monitor.ts";
import type { ChartData, ChartSeries, TimeSpan } from "../../components/chart-data.ts";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { type Column, LongTable } from "../../components/LongTable.tsx";
import { TimeChart } from "../../components/TimeChart.tsx";
import { formatDateTime, formatTick } from "../../i18n/format.ts";
import { formatRate, formatShare } from "../../i18n/format-amounts.ts";
import { monitorKinds } from "../../kinds.ts";
import { DeploymentEntry, deployedAtMs, deploymentsByTime } from "../detail/DeploymentEntry.tsx";
import { outageSpans } from "../detail/status-periods.ts";
import { chartSpan, type ShownRange } from "../detail/use-range.ts";
import { interfaceRates, type MetricLines, metricLines } from "./metric-lines.ts";

interface DeviceChartProps {
  device: DeviceDetail;
  charted: Charted;
  shown: ShownRange;
  asTable: boolean;
}

const all = 100;
/** The same each time, so that the chart is not drawn anew. */
const noDeployments: readonly Deployment[] = [];

/** One figure of a device over the page's range, as a chart or as a table. */
export function DeviceChart({ device, charted, shown, asTable }: DeviceChartProps) {
  const { t } = useTranslation("monitors/device");
  const { range } = shown;
  const query = useQuery(seriesQuery(device.id, charted, range));
  const intervalMs = device.checkInterval * 1000;
  const { data } = query;
  const lines = useMemo(() => data && metricLines(data, charted, intervalMs), [data, charted, intervalMs]);
  return (
    <section aria-label={t(`chart.${charted}`)} className="min-w-0">
      <h3 className="text-sm font-medium">{t(`chart.${charted}`)}</h3>
      <div className={asTable ? "h-67" : "min-h-67"}>
        <Loaded
          of={{ ...query, data: lines }}
          failed={t("chart.failed")}
          loading={<Skeleton className="mt-6 h-54 rounded-md opacity-50" />}
          isEmpty={({ times }) => times.length === 0}
          empty={<p className="grid h-67 place-items-center text-ink-faint">{t("chart.empty")}</p>}
        >
          {(known) => (
            <Drawn
              key={range}
              {...{ device, charted, shown, asTable }}
              lines={known}
              now={query.dataUpdatedAt}
            />
          )}
        </Loaded>
      </div>
      {charted === "network" && data && <Interfaces series={data} />}
    </section>
  );
}

/** What the sum is made of, and what carries the same bytes again, such as bridges and tunnels. */
function Interfaces({ series }: { series: Series }) {
  const { t, i18n } = useTranslation("monitors/device");
  const interfaces = useMemo(() => interfaceRates(series), [series]);
  const write = (rate: number | null) => (rate === null ? "–" : formatRate(rate, i18n.language));
  if (interfaces.length < 2) return null;
  return (
    <details className="text-xs text-ink-muted">
      <summary className="cursor-pointer rounded-sm hover:text-ink">
        {t("chart.interfaces", { count: interfaces.length })}
      </summary>
      <p className="mt-1 text-pretty text-ink-faint">{t("chart.interfacesHint")}</p>
      <table className="mt-1 w-full tabular-nums">
        <thead className="text-ink-faint">
          <tr>
            <th className="text-left font-normal">{t("chart.interface")}</th>
            <th className="text-right font-normal">{t("chart.rx")}</th>
            <th className="text-right font-normal">{t("chart.tx")}</th>
          </tr>
        </thead>
        <tbody>
          {interfaces.map(({ name, rx, tx }) => (
            <tr key={name}>
              <th scope="row" className="text-left font-normal">
                <bdi>{name}</bdi>
              </th>
              <td className="text-right">{write(rx)}</td>
              <td className="text-right">{write(tx)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface DrawnProps extends DeviceChartProps {
  lines: MetricLines;
  now: number;
}

function Drawn({ device, charted, shown, asTable, lines, now }: DrawnProps) {
  const { t, i18n } = useTranslation(["monitors/device", "monitors"]);
  const { range, zoom, zoomTo } = shown;
  const [point, setPoint] = useState<number | null>(null);
  const periods = useQuery(statusHistoryQuery(monitorKinds.device, device.id)).data;
  // Of the device, and of what runs on it.
  const { data: deployments = noDeployments } = useQuery(monitorDeploymentsQuery(device.id, range));
  const isShare = charted !== "network";
  const write = (value: number) => (isShare ? formatShare : formatRate)(value, i18n.language);
  const nameOf = useLineNames();
  // What an agent buffered while it was offline may be older than the device here.
  const begunMs = Math.min(Date.parse(device.createdAt), lines.times[0] ?? now);
  const { fromMs, toMs } = chartSpan(range, begunMs, now);
  const data = useMemo<ChartData>(
    () => ({
      ...{ times: lines.times, gaps: lines.gaps, fromMs, toMs },
      layers: [],
      lines: lines.lines.map(({ id, values }, at) => ({
        label: nameOf(id),
        colour: chartColours[at % chartColours.length] as string,
        values,
      })),
      failures: [],
      outages: outageSpans(periods ?? [], now),
      restarts: [],
      deployments: deployments.map(deployedAtMs),
      ...(isShare && { top: all }),
    }),
    [lines, nameOf, periods, deployments, fromMs, toMs, now, isShare],
  );
  const rangeName = t(`monitors:response.ranges.${range}.long`);
  const what = t(`chart.${charted}`);
  if (asTable) {
    const label = `${what}, ${rangeName}`;
    return <MetricTable label={label} data={data} deployments={deployments} write={write} />;
  }
  return (
    <>
      <ChartLegend
        data={data}
        deployments={deployments}
        view={zoom ?? { fromMs, toMs }}
        point={point}
        write={write}
      />
      <TimeChart
        label={t("chart.label", { what, range: rangeName })}
        data={data}
        zoom={zoom}
        onZoom={zoomTo}
        formatValue={write}
        formatTick={(timeMs, stepMs) => formatTick(timeMs, stepMs, i18n.language)}
        cursorName={`device-${device.id}`}
        onPoint={setPoint}
      />
    </>
  );
}

/** What a line is called: a disk is by its own name. */
function useLineNames(): (id: string) => string {
  const { t } = useTranslation("monitors/device");
  return useMemo(() => {
    const names: Record<string, string> = {
      cpu: t("chart.busy"),
      memory: t("chart.usage"),
      rx: t("chart.rx"),
      tx: t("chart.tx"),
    };
    return (id) => names[id] ?? id;
  }, [t]);
}

interface MetricTableProps {
  label: string;
  data: ChartData;
  deployments: readonly Deployment[];
  write: (value: number) => string;
}

interface Row {
  at: number;
  /** Of the time in the data; -1: nothing was measured then. */
  index: number;
}

/** A chart's values, newest first. */
function MetricTable({ label, data, deployments, write }: MetricTableProps) {
  const { t, i18n } = useTranslation(["monitors/device", "monitors"]);
  const deployed = deploymentsByTime(deployments.filter((one) => deployedAtMs(one) >= data.fromMs));
  const measured = data.times
    .map((at, index): Row => ({ at, index }))
    .filter(({ index }) => data.lines.some(({ values }) => values[index] !== null));
  const isMeasured = new Set(measured.map(({ at }) => at));
  const deployedOnly = [...deployed.keys()].filter((at) => !isMeasured.has(at));
  const rows = [...measured, ...deployedOnly.map((at): Row => ({ at, index: -1 }))].toSorted(
    (one, other) => other.at - one.at,
  );
  const columns: Column<Row>[] = [
    {
      id: "time",
      head: t("lists.head.time"),
      width: "minmax(11rem, 1fr)",
      text: ({ at }) => formatDateTime(new Date(at).toISOString(), i18n.language),
    },
    ...data.lines.map(
      ({ label: head, values }): Column<Row> => ({
        id: head,
        head,
        width: "minmax(5rem, 1fr)",
        align: "end",
        text: ({ index }) => {
          const value = values[index];
          return value == null ? "–" : write(value);
        },
      }),
    ),
    ...(deployed.size > 0
      ? [
          {
            id: "deployed",
            head: t("monitors:response.deployed"),
            width: "minmax(8rem, 1fr)",
            text: ({ at }: Row) => deployed.get(at) ?? "–",
          },
        ]
      : []),
  ];
  return <LongTable label={label} columns={columns} rows={rows} keyOf={({ at }) => at} className="h-full" />;
}

/** Of lines, in their order. */
const chartColours = [
  "--color-series",
  "--color-phase-connect",
  "--color-phase-tls",
  "--color-warn",
  "--color-phase-transfer",
] as const;

const marks: Readonly<Record<string, string>> = {
  "--color-series": "border-series",
  "--color-phase-connect": "border-phase-connect",
  "--color-phase-tls": "border-phase-tls",
  "--color-warn": "border-warn",
  "--color-phase-transfer": "border-phase-transfer",
};

interface ChartLegendProps {
  data: ChartData;
  deployments: readonly Deployment[];
  /** The part that is looked at. */
  view: TimeSpan;
  /** The place under the pointer. */
  point: number | null;
  write: (value: number) => string;
}

/** The legend, with the values under the pointer, else the last ones in view. */
function ChartLegend({ data, deployments, view, point, write }: ChartLegendProps) {
  const { t, i18n } = useTranslation("monitors/device");
  const time = point === null ? undefined : data.times[point];
  const isSeen = ({ fromMs, toMs }: TimeSpan) => toMs > view.fromMs && fromMs < view.toMs;
  const valueOf = ({ values }: ChartSeries): string => {
    const value = point === null ? lastIn(data.times, values, view) : values[point];
    return value == null ? "–" : write(value);
  };
  return (
    <div className="flex min-h-7 items-center gap-x-3.5 text-xs max-sm:flex-wrap sm:h-7 sm:overflow-hidden text-ink-muted">
      {data.lines.map((line) => (
        <span key={line.label} className="flex min-w-0 items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className={`w-3 shrink-0 border-t-2 ${marks[line.colour]}`} />
          <bdi className="max-w-28 truncate" title={line.label}>
            {line.label}
          </bdi>
          <span className="font-medium text-ink tabular-nums">{valueOf(line)}</span>
        </span>
      ))}
      {data.outages.some(isSeen) && (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className="size-2 rounded-2xs border-t-2 border-down bg-down/20" />
          {t("chart.offline")}
        </span>
      )}
      {data.gaps.some(isSeen) && (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className="hatched size-2.5" />
          {t("chart.gap")}
        </span>
      )}
      <DeploymentEntry deployments={deployments} view={view} />
      <span className="ml-auto whitespace-nowrap text-ink-faint tabular-nums max-sm:hidden">
        {time !== undefined && formatDateTime(new Date(time).toISOString(), i18n.language)}
      </span>
    </div>
  );
}

function lastIn(times: readonly number[], values: ChartSeries["values"], view: TimeSpan): number | null {
  const at = times.findLastIndex(
    (time, index) => time >= view.fromMs && time <= view.toMs && values[index] !== null,
  );
  return values[at] ?? null;
}
