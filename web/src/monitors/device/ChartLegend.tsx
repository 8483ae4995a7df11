import { useTranslation } from "react-i18next";
import type { Deployment } from "../../api/deployments.ts";
import type { ChartData, ChartSeries, TimeSpan } from "../../components/chart-data.ts";
import { formatDateTime } from "../../i18n/format.ts";
import { DeploymentEntry } from "../detail/DeploymentEntry.tsx";

/** Of lines, in their order. */
export const chartColours = [
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

/** What the lines are, with the figures under the pointer, else the last ones of what is looked at. */
export function ChartLegend({ data, deployments, view, point, write }: ChartLegendProps) {
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
