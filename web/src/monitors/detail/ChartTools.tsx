import { ChartLine, Table } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Range, ranges } from "../../api/monitor.ts";
import { IconButton } from "../../components/Button.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import type { ShownRange } from "./use-range.ts";

interface ChartToolsProps extends Pick<ShownRange, "range" | "chooseRange"> {
  asTable: boolean;
  setAsTable: (asTable: boolean) => void;
  percentiles: boolean;
  setPercentiles: (percentiles: boolean) => void;
}

/** What is shown of the response times: how far back, the slowest ones, and as what. */
export function ChartTools(props: ChartToolsProps) {
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
