import { useQuery } from "@tanstack/react-query";
import { ChartLine, Table } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Deployment, monitorDeploymentsQuery } from "../../api/deployments.ts";
import {
  monitorQuery,
  type Phase,
  type Range,
  ranges,
  responseTimesQuery,
  statusHistoryQuery,
  summaryQuery,
} from "../../api/monitor.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { useKind, useMonitorTexts } from "../descriptor.ts";
import { ResponseChart } from "./ResponseChart.tsx";
import { ResponseTable } from "./ResponseTable.tsx";
import { toResponseSeries } from "./response-series.ts";
import { chartSpan, type ShownRange, useRange } from "./use-range.ts";

/** How long the API's points are (docs/api.md); the hour is shown check by check. */
const periodsMs: Record<Range, number> = {
  "1h": 300_000,
  "24h": 300_000,
  "7d": 3_600_000,
  "30d": 3_600_000,
};
const usualIntervalSeconds = 60;
/** The same each time, so that the chart is not drawn anew. */
const noDeployments: readonly Deployment[] = [];

interface ResponseCardProps {
  id: number;
  /** As far as it is known. */
  monitor: Monitor | undefined;
  /** What its checks measure, in order. */
  phases: readonly Phase[];
}

/** Response times, where there are any: a heartbeat is not checked but may report a duration. */
export function ResponseCard(props: ResponseCardProps) {
  const isProbed = props.phases.length > 0;
  const { data } = useQuery({ ...summaryQuery(useKind(), props.id), enabled: !isProbed });
  return (isProbed || data?.stats.avgResponseTime != null) && <ResponseTimes {...props} />;
}

function ResponseTimes({ id, monitor, phases }: ResponseCardProps) {
  const t = useMonitorTexts(monitor);
  const kind = useKind();
  const intervalMs = (monitor?.checkInterval ?? usualIntervalSeconds) * 1000;
  const createdAt = useQuery(monitorQuery(kind, id)).data?.createdAt ?? monitor?.createdAt;
  const shownRange = useRange(createdAt);
  const { range } = shownRange;
  const [asTable, setAsTable] = useState(false);
  const [percentiles, setPercentiles] = useState(false);
  // How old it is decides on the range.
  const enabled = createdAt !== undefined;
  const query = useQuery({
    ...responseTimesQuery(kind, id, range, percentiles),
    enabled,
    placeholderData: (before, last) => (last?.queryKey[4] === range ? before : undefined),
  });
  const { data, dataUpdatedAt } = query;
  const periods = useQuery(statusHistoryQuery(kind, id)).data;
  const deployments = useQuery({ ...monitorDeploymentsQuery(id, range), enabled }).data;
  const series = useMemo(
    () => data && toResponseSeries(data, phases, { intervalMs, periodMs: periodsMs[range] }),
    [data, phases, intervalMs, range],
  );
  const name = t(`response.ranges.${range}.long`);
  // A new monitor's chart begins with it: a day of nothing would press its first minutes into the edge.
  const begunMs =
    createdAt === undefined ? 0 : Date.parse(createdAt) - (range === "1h" ? 0 : periodsMs[range]);
  return (
    <Section
      title={t("response.title")}
      trailing={<ChartTools {...shownRange} {...{ asTable, setAsTable, percentiles, setPercentiles }} />}
    >
      <div className="h-72 px-4 pb-3 max-sm:h-84">
        <Loaded
          of={{ ...query, data: series }}
          failed={t("response.failed")}
          loading={
            <div className="pt-9">
              <Skeleton className="h-54 rounded-md opacity-50" />
            </div>
          }
          isEmpty={({ measured }) => measured.length === 0}
          empty={<p className="grid h-full place-items-center text-ink-faint">{t("response.empty")}</p>}
        >
          {(shown) =>
            asTable ? (
              <ResponseTable
                shown={shown}
                deployments={deployments ?? noDeployments}
                rangeName={name}
                withPercentiles={percentiles}
              />
            ) : (
              <ResponseChart
                key={range}
                shown={shown}
                periods={periods ?? []}
                deployments={deployments ?? noDeployments}
                rangeName={name}
                span={chartSpan(range, begunMs, dataUpdatedAt)}
                now={dataUpdatedAt}
                zoom={shownRange.zoom}
                zoomTo={shownRange.zoomTo}
                withPercentiles={percentiles}
              />
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}

interface ChartToolsProps extends Pick<ShownRange, "range" | "chooseRange"> {
  asTable: boolean;
  setAsTable: (asTable: boolean) => void;
  percentiles: boolean;
  setPercentiles: (percentiles: boolean) => void;
}

/** What is shown of the response times: how far back, the slowest ones, and as what. */
function ChartTools(props: ChartToolsProps) {
  const { range, chooseRange, asTable, setAsTable, percentiles, setPercentiles } = props;
  const { t } = useTranslation("monitors");
  const textOf = (option: Range) => ({
    short: t(`response.ranges.${option}.short`),
    long: t(`response.ranges.${option}.long`),
  });
  const Icon = asTable ? ChartLine : Table;
  return (
    <div className="flex flex-wrap items-center gap-1.5 max-sm:gap-1">
      <button
        type="button"
        aria-pressed={percentiles}
        title={t("response.percentilesHint")}
        onClick={() => setPercentiles(!percentiles)}
        className="h-8 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink-muted shadow-card transition-colors hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
      >
        {t("response.percentiles")}
      </button>
      <RangePicker
        label={t("response.range")}
        options={ranges}
        value={range}
        textOf={textOf}
        onPick={chooseRange}
      />
      <IconButton
        label={t(asTable ? "response.showChart" : "response.showTable")}
        onClick={() => setAsTable(!asTable)}
      >
        <Icon aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
