import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Phase, Range } from "../../../api/monitor.ts";
import type { ChartData } from "../../../components/chart-data.ts";
import { TimeChart } from "../../../components/TimeChart.tsx";
import { formatDateTime, formatResponseTime, formatTick } from "../../../format.ts";
import type { ResponseSeries } from "./response-series.ts";

const hourMs = 3_600_000;
const lengthsMs: Record<Range, number> = {
  "1h": hourMs,
  "24h": 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "30d": 30 * 24 * hourMs,
};

const colours = {
  mean: "--color-series",
  dns: "--color-phase-dns",
  connect: "--color-phase-connect",
  tls: "--color-phase-tls",
  firstByte: "--color-phase-server",
  transfer: "--color-phase-transfer",
} as const satisfies Record<Phase | "mean", string>;

const swatches = {
  mean: "bg-series",
  dns: "bg-phase-dns",
  connect: "bg-phase-connect",
  tls: "bg-phase-tls",
  firstByte: "bg-phase-server",
  transfer: "bg-phase-transfer",
} as const;

interface ResponseChartProps {
  shown: ResponseSeries;
  range: Range;
  rangeName: string;
  /** Nothing can be known before this, milliseconds. */
  sinceMs: number;
  /** Where the range ends, milliseconds. */
  untilMs: number;
}

/** The chart, and above it what its colours mean with the figures under the pointer. */
export function ResponseChart({ shown, range, rangeName, sinceMs, untilMs }: ResponseChartProps) {
  const { t, i18n } = useTranslation("monitor");
  const [point, setPoint] = useState<number | null>(null);
  const data = useMemo<ChartData>(
    () => ({
      times: shown.times,
      failures: shown.failures,
      series: shown.series.map(({ kind, values }) => ({
        label: t(`response.kinds.${kind}`),
        colour: colours[kind],
        values,
      })),
      fromMs: Math.max(sinceMs, untilMs - lengthsMs[range]),
      toMs: untilMs,
    }),
    [shown, range, sinceMs, untilMs, t],
  );
  return (
    <>
      <Legend shown={shown} point={point} />
      <TimeChart
        label={t("response.chart", { range: rangeName })}
        data={data}
        formatValue={(value) => formatResponseTime(value, i18n.language)}
        formatTick={(timeMs, stepMs) => formatTick(timeMs, stepMs, i18n.language)}
        onPoint={setPoint}
      />
    </>
  );
}

function Legend({ shown, point }: { shown: ResponseSeries; point: number | null }) {
  const { t, i18n } = useTranslation("monitor");
  const time = point === null ? undefined : shown.times[point];
  const write = (value: number | null | undefined) =>
    value == null ? "–" : formatResponseTime(value, i18n.language);
  return (
    <div className="flex h-9 items-center gap-x-4 overflow-hidden text-xs text-ink-muted max-sm:h-15 max-sm:flex-wrap max-sm:content-center">
      {shown.series.map(({ kind, values }) => {
        const value = point === null ? meanOf(values) : values[point];
        return (
          <span key={kind} className="flex items-center gap-1.5 whitespace-nowrap">
            <span aria-hidden className={`size-2 rounded-2xs ${swatches[kind]}`} />
            {t(`response.kinds.${kind}`)}
            <span className="min-w-11 font-medium text-ink tabular-nums">{write(value)}</span>
          </span>
        );
      })}
      {shown.series.length > 1 && (
        <span className="whitespace-nowrap max-sm:hidden">
          {t("response.total")}{" "}
          <span className="font-medium text-ink tabular-nums">{write(totalOf(shown, point))}</span>
        </span>
      )}
      {shown.failedChecks > 0 && (
        <span className="flex items-center gap-1.5 whitespace-nowrap text-down-ink">
          <span aria-hidden className="h-2.5 w-0.5 bg-down" />
          {t("response.failures", { count: shown.failedChecks })}
        </span>
      )}
      <span className="ml-auto whitespace-nowrap text-ink-faint tabular-nums max-sm:hidden">
        {time !== undefined && formatDateTime(new Date(time).toISOString(), i18n.language)}
      </span>
    </div>
  );
}

/** What the phases add up to: under the pointer, or on average. */
function totalOf({ times, series }: ResponseSeries, point: number | null): number | null {
  const sumAt = (at: number) => {
    const known = series.flatMap(({ values }) => values[at] ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
  };
  return point === null ? meanOf(times.map((_, at) => sumAt(at))) : sumAt(point);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
