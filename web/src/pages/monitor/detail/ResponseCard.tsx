import { useQuery } from "@tanstack/react-query";
import { ChartLine, Table } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { monitorQuery, type Phase, type Range, ranges, responseTimesQuery } from "../../../api/monitor.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { RangePicker } from "../../../components/RangePicker.tsx";
import { Section } from "../../../components/Section.tsx";
import { Skeleton } from "../../../components/Skeleton.tsx";
import type { CardProps } from "../../../kinds/descriptor.ts";
import { useKind } from "../../../kinds/use-kind.ts";
import { ResponseChart } from "./ResponseChart.tsx";
import { ResponseTable } from "./ResponseTable.tsx";
import { toResponseSeries } from "./response-series.ts";
import { useRange } from "./use-range.ts";

/** How long the API's points are (docs/api.md); the hour is shown check by check. */
const periodsMs: Record<Range, number> = {
  "1h": 300_000,
  "24h": 300_000,
  "7d": 3_600_000,
  "30d": 3_600_000,
};
const usualIntervalSeconds = 60;

interface ResponseCardProps extends Pick<CardProps, "id" | "monitor"> {
  /** What its checks measure, in order. */
  phases: readonly Phase[];
}

/** Response times over a range, as a chart or as a table. */
export function ResponseCard({ id, monitor, phases }: ResponseCardProps) {
  const intervalSeconds = monitor?.checkInterval ?? usualIntervalSeconds;
  const [range, chooseRange] = useRange();
  const { t } = useTranslation("monitor");
  const kind = useKind();
  const [asTable, setAsTable] = useState(false);
  const query = useQuery(responseTimesQuery(kind, id, range));
  const { data, dataUpdatedAt } = query;
  const createdAt = useQuery(monitorQuery(kind, id)).data?.createdAt;
  // A new monitor's chart begins with it: a day of nothing would press its first minutes into the edge.
  const sinceMs = createdAt === undefined ? 0 : Date.parse(createdAt) - periodsMs[range];
  const shown = useMemo(
    () =>
      data &&
      toResponseSeries(data, phases, { intervalMs: intervalSeconds * 1000, periodMs: periodsMs[range] }),
    [data, phases, intervalSeconds, range],
  );
  const textOf = (option: Range) => ({
    short: t(`response.ranges.${option}.short`),
    long: t(`response.ranges.${option}.long`),
  });
  const Icon = asTable ? ChartLine : Table;
  const tools = (
    <div className="flex items-center gap-1">
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
  const name = textOf(range).long;
  return (
    <Section title={t("response.title")} aside={tools}>
      <div className="h-72 px-4 pb-3 max-sm:h-78">
        <Loaded
          of={{ ...query, data: shown }}
          failed={t("response.failed")}
          loading={
            <div className="pt-9">
              <Skeleton className="h-54 rounded-md opacity-50" />
            </div>
          }
          isEmpty={({ times, failures }) => times.length + failures.length === 0}
          empty={<p className="grid h-full place-items-center text-ink-faint">{t("response.empty")}</p>}
        >
          {(series) =>
            asTable ? (
              <ResponseTable shown={series} rangeName={name} />
            ) : (
              <ResponseChart
                key={range}
                shown={series}
                range={range}
                rangeName={name}
                sinceMs={sinceMs}
                untilMs={dataUpdatedAt}
              />
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}
