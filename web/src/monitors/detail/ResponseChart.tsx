import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { Phase, StatusPeriod } from "../../api/monitor.ts";
import type { ChartData, ChartSeries, TimeSpan } from "../../components/chart-data.ts";
import { TimeChart } from "../../components/TimeChart.tsx";
import { formatAxisTime, formatDateTime, formatResponseTime, formatTick } from "../../i18n/format.ts";
import { DeploymentEntry, deployedAtMs } from "./DeploymentEntry.tsx";
import { gapsOf, type ResponseSeries } from "./response-series.ts";
import { outageSpans, restartTimes } from "./status-periods.ts";

const colours = {
  dns: "--color-phase-dns",
  connect: "--color-phase-connect",
  tls: "--color-phase-tls",
  firstByte: "--color-phase-server",
  transfer: "--color-phase-transfer",
} as const satisfies Record<Phase, string>;

interface ResponseChartProps {
  shown: ResponseSeries;
  /** What the status was, newest first. */
  periods: readonly StatusPeriod[];
  deployments: readonly Deployment[];
  rangeName: string;
  /** What the chart covers, from the first moment that can be known. */
  span: TimeSpan;
  /** Until when it is known, milliseconds. */
  now: number;
  zoom: TimeSpan | null;
  zoomTo: (zoom: TimeSpan | null) => void;
  withPercentiles: boolean;
}

/** The chart, and above it its legend with the values under the pointer. */
export function ResponseChart(props: ResponseChartProps) {
  const { shown, periods, deployments, rangeName, span, now, zoom, zoomTo, withPercentiles } = props;
  const { t, i18n } = useTranslation("monitors");
  const [point, setPoint] = useState<number | null>(null);
  const { fromMs, toMs } = span;
  const data = useMemo<ChartData>(() => {
    const { layers, total, percentiles } = shown;
    const line = (name: "p95" | "p99", colour: string) => ({
      label: name,
      colour,
      values: percentiles?.[name] ?? [],
      dashed: true,
    });
    return {
      times: shown.times,
      layers: layers.map(({ kind, values }) => ({
        label: t(`response.kinds.${kind}`),
        colour: colours[kind],
        values,
      })),
      lines: [
        { label: t("response.total"), colour: "--color-series", values: total },
        ...(withPercentiles && percentiles
          ? [line("p95", "--color-warn"), line("p99", "--color-ink-muted")]
          : []),
      ],
      failures: shown.failures.map(({ at }) => at),
      outages: outageSpans(periods, now),
      gaps: gapsOf(shown, { fromMs, toMs: Math.min(now, toMs) }),
      restarts: restartTimes(periods),
      deployments: deployments.map(deployedAtMs),
      fromMs,
      toMs,
    };
  }, [shown, periods, deployments, fromMs, toMs, now, withPercentiles, t]);
  return (
    <>
      <ResponseLegend shown={shown} data={data} deployments={deployments} view={zoom ?? span} point={point} />
      <TimeChart
        label={t("response.chart", { range: rangeName })}
        data={data}
        zoom={zoom}
        onZoom={zoomTo}
        formatValue={(value) => formatAxisTime(value, i18n.language)}
        formatTick={(timeMs, stepMs) => formatTick(timeMs, stepMs, i18n.language)}
        onPoint={setPoint}
      />
    </>
  );
}

const swatches = {
  dns: "bg-phase-dns/40",
  connect: "bg-phase-connect/40",
  tls: "bg-phase-tls/40",
  firstByte: "bg-phase-server/40",
  transfer: "bg-phase-transfer/40",
} as const satisfies Record<Phase, string>;

const lineMarks: Record<string, string> = {
  "--color-series": "border-series",
  "--color-warn": "border-dashed border-warn",
  "--color-ink-muted": "border-dashed border-ink-muted",
};

interface ResponseLegendProps {
  shown: ResponseSeries;
  data: ChartData;
  deployments: readonly Deployment[];
  /** The part that is looked at. */
  view: TimeSpan;
  /** The place under the pointer. */
  point: number | null;
}

/** The chart's legend, with the values under the pointer, else the averages of what is in view. */
function ResponseLegend({ shown, data, deployments, view, point }: ResponseLegendProps) {
  const { t, i18n } = useTranslation("monitors");
  const time = point === null ? undefined : data.times[point];
  const isInView = (timeMs: number) => view.fromMs <= timeMs && timeMs <= view.toMs;
  const figureOf = ({ values }: Pick<ChartSeries, "values">) => {
    const value =
      point === null ? meanOf(values.filter((_, at) => isInView(data.times[at] ?? 0))) : values[point];
    return value == null ? "–" : formatResponseTime(value, i18n.language);
  };
  const failed = shown.failures.filter(({ at }) => isInView(at)).reduce((sum, { count }) => sum + count, 0);
  const isSeen = ({ fromMs, toMs }: TimeSpan) => toMs > view.fromMs && fromMs < view.toMs;
  const hasValues = data.times.length > 0;
  return (
    <div className="flex h-9 items-center gap-x-3.5 overflow-hidden text-xs text-ink-muted max-sm:h-20 max-sm:flex-wrap max-sm:content-center">
      {hasValues &&
        data.lines.map((line) => (
          <Entry
            key={line.label}
            mark={<span aria-hidden className={`w-3 border-t-2 ${lineMarks[line.colour]}`} />}
            name={line.label}
            figure={figureOf(line)}
          />
        ))}
      {shown.layers.map((layer, at) => (
        <Entry
          key={layer.kind}
          mark={<span aria-hidden className={`size-2 rounded-2xs ${swatches[layer.kind]}`} />}
          name={data.layers[at]?.label ?? layer.kind}
          figure={figureOf(layer)}
        />
      ))}
      {data.outages.some(isSeen) && (
        <Entry
          mark={<span aria-hidden className="size-2 rounded-2xs border-t-2 border-down bg-down/20" />}
          name={t("response.outage")}
        />
      )}
      {failed > 0 && (
        <span className="flex items-center gap-1.5 whitespace-nowrap text-down-ink">
          <span aria-hidden className="h-2.5 w-0.5 bg-down" />
          {t("response.failures", { count: failed })}
        </span>
      )}
      {data.gaps.some(isSeen) && (
        <Entry mark={<span aria-hidden className="hatched size-2.5" />} name={t("response.gap")} />
      )}
      {data.restarts.some(isInView) && (
        <Entry
          mark={<span aria-hidden className="h-2.5 border-l border-dashed border-ink-faint" />}
          name={t("response.restart")}
        />
      )}
      <DeploymentEntry deployments={deployments} view={view} />
      <span className="ml-auto whitespace-nowrap text-ink-faint tabular-nums max-sm:hidden">
        {time !== undefined && formatDateTime(new Date(time).toISOString(), i18n.language)}
      </span>
    </div>
  );
}

function Entry({ mark, name, figure }: { mark: ReactNode; name: string; figure?: string }) {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      {mark}
      {name}
      {figure !== undefined && <span className="font-medium text-ink tabular-nums">{figure}</span>}
    </span>
  );
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
