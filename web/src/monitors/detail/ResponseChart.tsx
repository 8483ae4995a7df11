import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { Phase, StatusPeriod } from "../../api/monitor.ts";
import type { ChartData, TimeSpan } from "../../components/chart-data.ts";
import { TimeChart } from "../../components/TimeChart.tsx";
import { formatAxisTime, formatTick } from "../../i18n/format.ts";
import { deployedAtMs } from "./deployment-marks.ts";
import { ResponseLegend } from "./ResponseLegend.tsx";
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
  /** What was deployed to it. */
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

/** The chart, and above it what its colours mean with the figures under the pointer. */
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
