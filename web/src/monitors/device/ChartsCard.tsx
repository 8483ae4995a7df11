import { ChartLine, Table } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Charted, chartedMetrics } from "../../api/device-metrics.ts";
import type { DeviceDetail } from "../../api/devices.ts";
import { ranges } from "../../api/monitor.ts";
import { IconButton } from "../../components/Button.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { Section } from "../../components/Section.tsx";
import { useRange } from "../detail/use-range.ts";
import { DeviceChart } from "./DeviceChart.tsx";

const charts = Object.keys(chartedMetrics) as Charted[];

/** What the machine was doing: four charts with one range, one zoom and one cursor. */
export function ChartsCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(["monitors/device", "monitors"]);
  const shown = useRange(device.createdAt);
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartLine : Table;
  return (
    <Section
      title={t("chart.title")}
      aside={
        <div className="flex items-center gap-1.5">
          <RangePicker
            label={t("monitors:response.range")}
            options={ranges}
            value={shown.range}
            textOf={(one) => ({
              short: t(`monitors:response.ranges.${one}.short`),
              long: t(`monitors:response.ranges.${one}.long`),
            })}
            onPick={shown.chooseRange}
          />
          <IconButton
            label={t(asTable ? "monitors:response.showChart" : "monitors:response.showTable")}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon aria-hidden className="size-4" />
          </IconButton>
        </div>
      }
    >
      <div className="grid gap-x-8 gap-y-6 px-4 pt-2 pb-4 lg:grid-cols-2">
        {charts.map((charted) => (
          <DeviceChart key={charted} device={device} charted={charted} shown={shown} asTable={asTable} />
        ))}
      </div>
    </Section>
  );
}
